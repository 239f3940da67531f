#pragma once
/// The rules for the parts of a request to the Messages API. Each returns the service's message for the first violation, or nothing.
#include <pyaichat/testing/anthropic_request_checker.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

using anthropic_violation = std::optional<std::string>;

/// Checks the members and types of a request. A request that only counts tokens has no `max_tokens` and no `stream`.
[[nodiscard]] anthropic_violation check_anthropic_shape(const json& request, bool counting);

/// Checks names and schemas of tools, the choice of tools, and sampling and thinking options for the newest models.
[[nodiscard]] anthropic_violation check_anthropic_tools(const json& request, std::string_view version);

/// Checks `output_config`: the effort, and the schema of the answer.
[[nodiscard]] anthropic_violation check_anthropic_output(const json& request);

/// Checks the order of messages, and that each call has its result.
[[nodiscard]] anthropic_violation check_anthropic_history(const json& request);

/// Checks the images of messages and of results: type, base64, size, and that the data is of that type.
[[nodiscard]] anthropic_violation check_anthropic_images(const json& request);

/// Checks that thinking blocks came back unchanged, after what preceded them.
[[nodiscard]] anthropic_violation check_anthropic_thinking(const json& request, const anthropic_service& service);

/// Calls `check(block, path)` for each block of a message until there is a violation. A text counts as one block.
[[nodiscard]] anthropic_violation each_anthropic_block(
    const json& message, const std::string& path,
    const std::function<anthropic_violation(const json& block, const std::string& path)>& check);

/// Returns the member `type` of a block.
[[nodiscard]] std::string anthropic_type(const json& block);

/// Whether a text is `[a-zA-Z0-9_-]{1,longest}`.
[[nodiscard]] bool is_anthropic_name(std::string_view text, std::size_t longest);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
