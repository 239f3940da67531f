#include "testing/emulation/image_rules.hpp"
#include "testing/openai_emulator/openai_rules.hpp"

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view unsupported_image =
    "You uploaded an unsupported image. Please make sure your image is valid and has one of the following formats: ['png', 'jpeg', 'gif', "
    "'webp'].";

bool is_known_type(std::string_view mime_type) {
    return mime_type == "image/png" || mime_type == "image/jpeg" || mime_type == "image/gif" || mime_type == "image/webp";
}

/// Checks `data:image/png;base64,...`. Other addresses are not fetched.
std::optional<service_refusal> check_url(std::string_view url, const std::string& place) {
    if (url.starts_with("https://") || url.starts_with("http://")) {
        return std::nullopt;
    }
    constexpr std::string_view scheme = "data:";
    constexpr std::string_view encoding = ";base64,";
    const std::size_t comma = url.find(encoding);
    if (!url.starts_with(scheme) || comma == std::string_view::npos) {
        return openai_invalid("Invalid '" + place + ".image_url.url'. Expected a valid URL, but got a value with an invalid format.", place,
                              "invalid_value");
    }
    const std::string_view mime_type = url.substr(scheme.size(), comma - scheme.size());
    const image_fault fault = fault_of_image(mime_type, url.substr(comma + encoding.size()));
    if (fault == image_fault::not_base64) {
        return openai_invalid("Invalid base64 image_url.", place, "invalid_base64");
    }
    if (!is_known_type(mime_type) || fault != image_fault::none) {
        return openai_invalid(unsupported_image, place, "image_parse_error");
    }
    return std::nullopt;
}

std::optional<service_refusal> check_image(const json& piece, const std::string& place, const openai_service& service) {
    if (!service.takes_images) {
        return openai_invalid("Failed to deserialize the JSON body into the target type: " + place +
                              ": unknown variant `image_url`, expected `text`");
    }
    const json* image = find_member(piece, "image_url");
    if (image == nullptr || !image->is_object() || !string_member(*image, "url")) {
        return openai_invalid("Missing required parameter: '" + place + ".image_url.url'.", place, "missing_required_parameter");
    }
    if (const std::string name = unknown_member(*image, "url detail"); !name.empty()) {
        return openai_invalid("Unknown parameter: '" + place + ".image_url." + name + "'.", place, "unknown_parameter");
    }
    const std::string_view detail = string_member(*image, "detail").value_or("auto");
    if (detail != "auto" && detail != "low" && detail != "high") {
        return openai_invalid("Invalid value: '" + std::string(detail) + "'. Supported values are: 'low', 'high', and 'auto'.", place,
                              "invalid_value");
    }
    return check_url(*string_member(*image, "url"), place);
}

}  // namespace

std::optional<service_refusal> check_openai_pieces(const json& pieces, const std::string& place, bool by_user,
                                                   const openai_service& service) {
    if (pieces.empty()) {
        return openai_invalid(
            "Invalid '" + place + "': empty array. Expected an array with minimum length 1, but got an empty array instead.", place,
            "empty_array");
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string at = place + "[" + std::to_string(i) + "]";
        const std::string type = pieces[i].is_object() ? std::string(string_member(pieces[i], "type").value_or("")) : "";
        if (type == "image_url" && by_user) {
            if (const std::string name = unknown_member(pieces[i], "type image_url"); !name.empty()) {
                return openai_invalid("Unknown parameter: '" + at + "." + name + "'.", at, "unknown_parameter");
            }
            if (auto refusal = check_image(pieces[i], at, service)) {
                return refusal;
            }
        } else if (type == "text") {
            if (const std::string name = unknown_member(pieces[i], "type text"); !name.empty()) {
                return openai_invalid("Unknown parameter: '" + at + "." + name + "'.", at, "unknown_parameter");
            }
            if (!string_member(pieces[i], "text")) {
                return openai_invalid("Invalid type for '" + at + ".text': expected a string.", at, "invalid_type");
            }
        } else if (!by_user || (type != "input_audio" && type != "file")) {
            return openai_invalid("Invalid value: '" + type + "'. Supported values are: " +
                                      (by_user ? "'text', 'image_url', 'input_audio', and 'file'." : "'text'."),
                                  at + ".type", "invalid_value");
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
