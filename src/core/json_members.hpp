#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>

/// Reading a wire document whose members may be missing or of another type.
namespace pyaichat::inline PYAICHAT_ABI::detail {

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
    if (!object.is_object()) {
        return nullptr;
    }
    const auto member = object.find(key);
    return member != object.end() && member->type() == type ? &*member : nullptr;
}

/// Subtracts the number of values in `value` from `left`; false if there are too many.
[[nodiscard]] inline bool count_values(const json& value, std::size_t& left) {
    if (left == 0) {
        return false;
    }
    --left;
    for (const json& inner : value) {
        if (value.is_structured() && !count_values(inner, left)) {
            return false;
        }
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
