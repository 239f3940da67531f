#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/testing/anthropic_reply.hpp>
#include <pyaichat/testing/anthropic_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The replies of an emulator, read from a JSON document. For tests in other languages, with `pyaichat emulate anthropic`.
///
///     {"api_key": "test-key", "models": ["claude-haiku-5-5"],
///      "replies": [{"overloaded": true}, {"text": "Hello.", "after": "20ms"}], "otherwise": {"spend_limit": true}}
///
/// An entry of `replies` has one member that makes the reply, and any number of members that change it. They are named after the functions
/// of `anthropic_reply`. Flags are `true`; durations are strings ("20ms", "1.5s").
struct anthropic_script {
    anthropic_service service = {};
    std::vector<anthropic_reply> replies = {};
    std::optional<anthropic_reply> otherwise = {};  ///< the reply to every request after the last entry
};

/// Parses a script. Fails with `invalid_argument`: the message has the place ("replies[2].after") and the error, the hint the correction.
[[nodiscard]] result<anthropic_script> parse_anthropic_script(std::string_view text);

/// Reads and parses a script file. Fails with `invalid_argument` or `not_found`; the message begins with the path.
[[nodiscard]] result<anthropic_script> read_anthropic_script(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
