#pragma once
#include <pyaichat/anthropic/anthropic_options.hpp>
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// The members that are the same in every request, each followed by a comma.
struct request_settings {
    std::string shared = {};      ///< for requests and for counting their tokens
    std::string generation = {};  ///< for requests only
    json output = {};             ///< `output_config` without a schema of the answer
    json answer_schema = {};      ///< of the options; null = none
};

/// Makes the failure for an option or a conversation that the service would refuse.
[[nodiscard]] failure invalid_request(std::string message, std::string hint);

/// Encodes the options. Fails with `invalid_argument` for options that the service refuses for every model.
[[nodiscard]] result<request_settings> encode_settings(const anthropic_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
