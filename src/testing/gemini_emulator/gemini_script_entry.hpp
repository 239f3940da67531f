#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_reply.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One entry of a script as a reply. `where` ("replies[2]") is where the entry stands, for failures.
[[nodiscard]] result<gemini_reply> read_gemini_reply(const json& entry, const std::string& where);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
