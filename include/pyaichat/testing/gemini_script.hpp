#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/testing/gemini_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What an emulator answers, written down in a JSON document: for programs in other languages, and for `pyaichat emulate gemini`.
///
///     {"profile": "3.8", "api_key": "test-key", "models": ["gemini-3.8-flash"],
///      "replies": [{"overloaded": true}, {"text": "Hello.", "after": "20ms"}], "otherwise": {"daily_quota": true}}
///
/// An entry of `replies` has one member that says what is answered and any number that change it; both have the names of the functions of
/// `gemini_reply`. A `signature` goes with `text`, `deltas` and `calls`; flags are `true`, durations are texts ("20ms", "1.5s").
struct gemini_script {
    gemini_service service = {};
    std::vector<gemini_reply> replies = {};
    std::optional<gemini_reply> otherwise = {};  ///< for every request after the last reply
};

/// Fails with `invalid_argument`: the message names the place ("replies[2].after") and what is wrong there, the hint what to write instead.
[[nodiscard]] result<gemini_script> parse_gemini_script(std::string_view text);

/// The same of a file, whose name comes first in the message. Also fails with `not_found`.
[[nodiscard]] result<gemini_script> read_gemini_script(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
