#pragma once
/// The request messages of the service as proto3-JSON: which members exist, and what each holds. (Wire document, sections 1.1 and 2 to 7.)
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One finding: where (snake_case path, empty for the whole request) and what.
struct gemini_violation {
    std::string field = {};
    std::string description = {};
};

/// Checks members, types, enums, base64 and the `data` oneof of a body that holds `message` ("GenerateContentRequest"). All findings, in
/// the order of `text`; `parsed` is the same document.
[[nodiscard]] std::vector<gemini_violation> check_gemini_shape(std::string_view text, const json& parsed, std::string_view message);

/// The text of a member, empty when it is absent or none.
[[nodiscard]] std::string proto_text(const json& object, std::string_view camel);

/// `parametersJsonSchema` -> `parameters_json_schema`.
[[nodiscard]] std::string snake_case(std::string_view camel);

/// The member under its camelCase or its snake_case name; null when absent, or when it is JSON null, which is the same.
[[nodiscard]] const json* proto_member(const json& object, std::string_view camel);

/// Whether the text is base64, standard or URL-safe, padded or not.
[[nodiscard]] bool is_base64(std::string_view text);

/// The member of a part that holds its data (camelCase), or empty.
[[nodiscard]] std::string_view data_member(const json& part);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
