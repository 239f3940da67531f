#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// The description of a model by the service.
struct anthropic_model_info {
    std::string name = {};
    std::string display_name = {};
    std::int64_t input_token_limit = 0;   ///< 0 = unknown
    std::int64_t output_token_limit = 0;  ///< 0 = unknown
    bool thinks = false;
};

namespace anthropic_codec {

/// Decodes a model of `GET /v1/models`. Fails with `bad_response` if it has no `id`.
[[nodiscard]] result<anthropic_model_info> decode_model(const json& wire);

/// Returns whether a model accepts a `tool_choice` that demands a call, guessed from its name: Claude models up to 5.0. Unknown models
/// count as the newest ones, which refuse it.
[[nodiscard]] bool may_be_forced(std::string_view model) noexcept;

/// Returns whether a model holds an answer to a JSON Schema, guessed from its name: Claude models from 4.5 on.
[[nodiscard]] bool has_structured_answers(std::string_view model) noexcept;

}  // namespace anthropic_codec

}  // namespace pyaichat::inline PYAICHAT_ABI
