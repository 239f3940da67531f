#pragma once
/// Checks request messages as the service's proto3 JSON parser does (wire document, sections 1.1 and 2 to 7).
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct gemini_violation {
    std::string field = {};  ///< snake_case path, empty for the whole request
    std::string description = {};
};

/// Checks members, types, enums, base64 and the `data` oneof of a body of type `message` ("GenerateContentRequest"). Returns all violations
/// in the order of `text`. `parsed` is the same document.
[[nodiscard]] std::vector<gemini_violation> check_gemini_shape(std::string_view text, const json& parsed, std::string_view message);

/// The member with this camelCase name or its snake_case form. JSON null if the member is missing.
[[nodiscard]] const json& proto_member(const json& object, std::string_view camel);

/// The text of a member, or empty if the member is missing or not a string.
[[nodiscard]] std::string proto_text(const json& object, std::string_view camel);

/// Calls `visit` with each element of a list and its path: `contents[2]`. Null has no elements.
template <class Json, class Visit>
void each_element(const Json& list, const std::string& path, Visit visit) {
    for (std::size_t index = 0; index < list.size(); ++index) {
        visit(list[index], path + "[" + std::to_string(index) + "]");
    }
}

[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The camelCase name of the member that holds a part's data, or empty.
[[nodiscard]] std::string_view data_member(const json& part);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
