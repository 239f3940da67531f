#pragma once
#include <pyaichat/testing/openai_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Makes a refusal with status 400.
[[nodiscard]] openai_refusal openai_invalid(std::string_view message, std::string_view param = {}, std::string_view code = {});

/// Checks the members of the request beside `messages` and `tools`: names, types, ranges, and which of them go together.
[[nodiscard]] std::optional<openai_refusal> check_openai_members(const json& request);

/// Checks `tools`, and what a model does not take together with them.
[[nodiscard]] std::optional<openai_refusal> check_openai_tools(const json& request, const openai_service& service);

/// Checks `messages` from the first to the last one.
[[nodiscard]] std::optional<openai_refusal> check_openai_history(const json& messages, const openai_service& service);

/// Returns the first member of an object that is not in a list of words separated by blanks, or an empty text.
[[nodiscard]] std::string unknown_member(const json& object, std::string_view words);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
