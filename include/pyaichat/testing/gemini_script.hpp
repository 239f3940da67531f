#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/testing/gemini_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The replies of an emulator, read from a JSON document. For tests in other languages, with `pyaichat emulate gemini`.
///
///     {"profile": "3.8", "api_key": "test-key", "models": ["gemini-3.8-flash"],
///      "replies": [{"overloaded": true}, {"text": "Hello.", "after": "20ms"}], "otherwise": {"daily_quota": true}}
///
/// An entry of `replies` has one member that makes the reply, and any number of members that change it. They are named after the functions
/// of `gemini_reply`. `signature` is allowed with `text`, `deltas` and `calls`. Flags are `true`; durations are strings ("20ms", "1.5s").
struct gemini_script {
    gemini_service service = {};
    std::vector<gemini_reply> replies = {};
    std::optional<gemini_reply> otherwise = {};  ///< the reply to every request after the last entry
};

/// Parses a script. Fails with `invalid_argument`: the message has the place ("replies[2].after") and the error, the hint the correction.
[[nodiscard]] result<gemini_script> parse_gemini_script(std::string_view text);

/// Reads and parses a script file. Fails with `invalid_argument` or `not_found`; the message begins with the path.
[[nodiscard]] result<gemini_script> read_gemini_script(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
