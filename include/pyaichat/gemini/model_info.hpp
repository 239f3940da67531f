#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// What the service says about a model.
struct gemini_model_info {
    std::string name = {};  ///< without `models/`
    std::string display_name = {};
    std::int64_t input_token_limit = 0;   ///< 0 = not said
    std::int64_t output_token_limit = 0;  ///< 0 = not said
    bool thinks = false;
    bool generates = false;        ///< supports generateContent
    bool calls_functions = false;  ///< by the name rule: the service has no flag for it
};

/// Whether a model of this name calls functions, as far as a name tells: a `gemini-` model that is not for images, speech, embeddings and
/// the like. With or without `models/`.
[[nodiscard]] bool gemini_model_calls_functions(std::string_view model) noexcept;

namespace gemini_codec {

/// A `Model` of `models.get` and `models.list`. Fails with `bad_response` when it has no name.
[[nodiscard]] result<gemini_model_info> decode_model(const json& wire);

}  // namespace gemini_codec

}  // namespace pyaichat::inline PYAICHAT_ABI
