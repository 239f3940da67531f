#include "testing/emulation/image_rules.hpp"
#include "testing/gemini_emulator/gemini_rules.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// Returns the text in the standard alphabet, padded: the service takes both alphabets, with and without padding.
std::string standard_base64(std::string text) {
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    text.resize((text.size() + 3) / 4 * 4, '=');
    return text;
}

std::optional<std::string> check_blob(const json& blob) {
    constexpr std::array<std::string_view, 5> images = {"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"};
    constexpr std::array<std::string_view, 4> others = {"audio/", "video/", "text/", "application/"};
    const std::string mime_type = proto_text(blob, "mimeType");
    const bool is_image = std::find(images.begin(), images.end(), mime_type) != images.end();
    if (!is_image && std::none_of(others.begin(), others.end(), [&](std::string_view kind) { return mime_type.starts_with(kind); })) {
        return "Unsupported MIME type: " + mime_type;
    }
    const std::string data = standard_base64(proto_text(blob, "data"));
    return is_image && fault_of_image(mime_type, data) != image_fault::none ? std::optional<std::string>("Unable to process input image.")
                                                                            : std::nullopt;
}

}  // namespace

std::optional<std::string> check_gemini_images(const json& contents) {
    for (const json& content : contents) {
        for (const json& part : proto_member(content, "parts")) {
            if (const json& blob = proto_member(part, "inlineData"); !blob.is_null()) {
                if (auto found = check_blob(blob)) {
                    return found;
                }
            }
            for (const json& inner : proto_member(proto_member(part, "functionResponse"), "parts")) {
                const json& blob = proto_member(inner, "inlineData");
                if (blob.is_null() && proto_member(inner, "fileData").is_null()) {
                    return "Unable to submit request because a part of `function_response.parts` has no data.";  // not the service's
                                                                                                                 // message
                }
                if (auto found = blob.is_null() ? std::nullopt : check_blob(blob)) {
                    return found;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
