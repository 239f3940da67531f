#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// The description of a model by the service.
struct gemini_model_info {
    std::string name = {};  ///< without `models/`
    std::string display_name = {};
    std::int64_t input_token_limit = 0;   ///< 0 = unknown
    std::int64_t output_token_limit = 0;  ///< 0 = unknown
    bool thinks = false;
    bool generates = false;        ///< supports generateContent
    bool calls_functions = false;  ///< guessed: see `gemini_model_calls_functions`
};

/// Guesses from the name whether a model can call functions, because the service has no flag for it: a `gemini-` model that is not for
/// images, speech, embeddings or the like. The name may start with `models/`.
[[nodiscard]] bool gemini_model_calls_functions(std::string_view model) noexcept;

namespace gemini_codec {

/// Decodes a `Model` of `models.get` or `models.list`. Fails with `bad_response` if it has no name.
[[nodiscard]] result<gemini_model_info> decode_model(const json& wire);

}  // namespace gemini_codec

}  // namespace pyaichat::inline PYAICHAT_ABI
