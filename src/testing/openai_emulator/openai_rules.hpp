#pragma once
#include <pyaichat/testing/openai_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Makes a refusal with status 400.
[[nodiscard]] service_refusal openai_invalid(std::string_view message, std::string_view param = {}, std::string_view code = {});

/// Checks the members of the request beside `messages` and `tools`: names, types, ranges, and which of them go together.
[[nodiscard]] std::optional<service_refusal> check_openai_members(const json& request);

/// Checks `tools`, and what a model does not take together with them.
[[nodiscard]] std::optional<service_refusal> check_openai_tools(const json& request, const openai_service& service);

/// Checks `messages` from the first to the last one.
[[nodiscard]] std::optional<service_refusal> check_openai_history(const json& messages, const openai_service& service);

/// The same for the Responses API: the members beside `input` and `tools`.
[[nodiscard]] std::optional<service_refusal> check_response_members(const json& request);

/// The same for the Responses API, whose tools are flat.
[[nodiscard]] std::optional<service_refusal> check_response_tools(const json& request, const openai_service& service);

/// Checks `input`, behind what `previous_response_id` names.
[[nodiscard]] std::optional<service_refusal> check_response_input(const json& request, const openai_service& service);

/// Returns `input` as a list of items, behind the items of the response that `previous_response_id` names.
[[nodiscard]] json response_items(const json& request, const openai_service& service);

/// Checks the schema of a function and its name. `place` names its object in the request.
[[nodiscard]] std::optional<service_refusal> check_openai_function(const json& function, const std::string& place, bool strict);

/// Checks the format of the answer: `response_format` or `text`.
[[nodiscard]] std::optional<service_refusal> check_openai_answer(const json& request, const openai_service& service);

/// Returns the first violation of the strict form in a schema, or an empty text.
[[nodiscard]] std::string openai_strict_violation(const json& schema);

/// Returns whether the service accepts a name of a function or of a schema.
[[nodiscard]] bool is_openai_name(std::string_view name);

/// Checks the numbers of a request that both interfaces have, and the names of its flags.
[[nodiscard]] std::optional<service_refusal> check_openai_numbers(const json& request);

/// Checks the parts of a content. Only a user message has others than texts.
[[nodiscard]] std::optional<service_refusal> check_openai_pieces(const json& pieces, const std::string& place, bool by_user,
                                                                 const openai_service& service);

/// Returns the first member of an object that is not in a list of words separated by blanks, or an empty text.
[[nodiscard]] std::string unknown_member(const json& object, std::string_view words);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
