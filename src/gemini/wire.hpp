#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Returns a string member, or an empty string if it is missing or not a string.
[[nodiscard]] inline std::string string_of(const json& object, std::string_view key) {
    return std::string(string_member(object, key).value_or(""));
}

/// Returns the elements of an array member; none if it is missing or not an array.
[[nodiscard]] inline const json::array_t& elements_of(const json& object, std::string_view key) {
    static const json::array_t none;
    const json* member = find_member(object, key);
    const auto* elements = member != nullptr ? member->get_ptr<const json::array_t*>() : nullptr;
    return elements != nullptr ? *elements : none;
}

/// Returns a member that may be changed, or null if it is missing or has another type.
[[nodiscard]] inline json* member_of_type(json& object, const char* key, json::value_t type) {
    const auto member = object.find(key);
    return member != object.end() && member->type() == type ? &*member : nullptr;
}

/// Makes the failure for a response in another form than documented.
[[nodiscard]] inline failure unreadable(std::string message) {
    return {.code = errc::bad_response, .message = std::move(message), .hint = "The service sent a response that cannot be read."};
}

/// The writer of a wire form if the model's name does not show its generation.
inline constexpr std::string_view any_writer = "gemini";

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
