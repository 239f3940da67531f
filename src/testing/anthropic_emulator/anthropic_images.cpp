#include "testing/anthropic_emulator/anthropic_rules.hpp"
#include "testing/emulation/image_rules.hpp"

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t longest_image = 5 << 20;  // of the base64 text

anthropic_violation check_image(const json& block, const std::string& path) {
    const json& source = *find_member(block, "source");
    const std::string_view type = string_member(source, "type").value_or("");
    if (type == "url" || type == "file") {
        return std::nullopt;  // not fetched
    }
    const std::string inside = path + ".image.source.base64";
    if (type != "base64") {
        return path + ".image.source: Input tag '" + std::string(type) +
               "' found using 'type' does not match any of the expected tags: 'base64', 'url', 'file'";
    }
    for (const auto& [name, member] : source.items()) {
        if (name != "type" && name != "media_type" && name != "data") {
            return inside + "." + name + ": Extra inputs are not permitted";
        }
    }
    const std::string_view media_type = string_member(source, "media_type").value_or("");
    if (media_type != "image/jpeg" && media_type != "image/png" && media_type != "image/gif" && media_type != "image/webp") {
        return inside + ".media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'";
    }
    const auto data = string_member(source, "data");
    if (!data) {
        return inside + ".data: Field required";
    }
    if (data->size() > longest_image) {
        return inside + ": image exceeds 5 MB maximum: " + std::to_string(data->size()) + " bytes > 5242880 bytes";
    }
    switch (fault_of_image(media_type, *data)) {
        case image_fault::not_base64: return inside + ".data: invalid base64 data";
        case image_fault::empty: return inside + ".data: image cannot be empty";
        case image_fault::other_type:
            return inside + ".data: The image was specified using the " + std::string(media_type) +
                   " media type, but the image does not appear to be a " + std::string(media_type) + " image";
        case image_fault::none: break;
    }
    return std::nullopt;
}

/// Checks the blocks inside of the result of a call.
anthropic_violation check_result(const json& block, const std::string& path) {
    const json* content = find_member(block, "content");
    if (content == nullptr || content->is_string()) {
        return std::nullopt;
    }
    const bool failed = bool_member(block, "is_error").value_or(false);
    return each_anthropic_block(block, path + ".tool_result", [&](const json& inner, const std::string& at) -> anthropic_violation {
        const std::string type = anthropic_type(inner);
        if (failed && type != "text") {
            return path + ".tool_result: all content must be type `text` if `is_error` is true";
        }
        if (type == "text") {
            const bool has_text = string_member(inner, "text") && *string_member(inner, "text") != "";
            return has_text ? anthropic_violation() : "messages: text content blocks must be non-empty";
        }
        if (type != "image") {
            return type == "document" || type == "search_result"
                       ? anthropic_violation()
                       : at + ": Input tag '" + type + "' found using 'type' does not match any of the expected tags";
        }
        const json* source = find_member(inner, "source");
        return source != nullptr && source->is_object() ? check_image(inner, at) : at + ".image.source: Field required";
    });
}

}  // namespace

anthropic_violation check_anthropic_images(const json& request) {
    const json& messages = *find_member(request, "messages");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        auto wrong = each_anthropic_block(messages[i], "messages." + std::to_string(i), [](const json& block, const std::string& at) {
            const std::string type = anthropic_type(block);
            return type == "image" ? check_image(block, at) : type == "tool_result" ? check_result(block, at) : anthropic_violation();
        });
        if (wrong) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
