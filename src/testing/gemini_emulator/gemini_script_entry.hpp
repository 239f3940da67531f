#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_reply.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Reads one entry of a script. `where` is its place, for error messages: "replies[2]".
[[nodiscard]] result<gemini_reply> read_gemini_reply(const json& entry, const std::string& where);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
