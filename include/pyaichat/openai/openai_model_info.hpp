#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// The description of a model by the service.
struct openai_model_info {
    std::string name = {};  ///< without `models/`
    std::string owner = {};
    std::int64_t created = 0;  ///< seconds since 1970; 0 = unknown
};

namespace openai_codec {

/// Decodes an entry of `GET models`. Fails with `bad_response` if it has no `id`.
[[nodiscard]] result<openai_model_info> decode_model(const json& wire);

}  // namespace openai_codec

}  // namespace pyaichat::inline PYAICHAT_ABI
