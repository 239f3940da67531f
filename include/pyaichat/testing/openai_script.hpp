#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/testing/openai_reply.hpp>
#include <pyaichat/testing/openai_request_checker.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The replies of an emulator, read from a JSON document. For tests in other languages, with `pyaichat emulate openai`.
///
///     {"api_key": "test-key", "models": ["gpt-5.4-mini"], "nine_character_ids": true,
///      "replies": [{"error": {"status": 503}}, {"text": "Hello.", "after": "20ms"}], "otherwise": {"hang": true}}
///
/// The other members of the script are named after those of `openai_service`. An entry of `replies` has one member that makes the reply,
/// and any number of members that change it. They are named after the functions of `openai_reply`. Flags are `true`; durations are strings
/// ("20ms", "1.5s").
struct openai_script {
    openai_service service = {};
    std::vector<openai_reply> replies = {};
    std::optional<openai_reply> otherwise = {};  ///< the reply to every request after the last entry
};

/// Parses a script. Fails with `invalid_argument`: the message has the place ("replies[2].after") and the error, the hint the correction.
[[nodiscard]] result<openai_script> parse_openai_script(std::string_view text);

/// Reads and parses a script file. Fails with `invalid_argument` or `not_found`; the message begins with the path.
[[nodiscard]] result<openai_script> read_openai_script(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
