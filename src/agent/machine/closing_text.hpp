#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/agent/limits.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the sentence that names the limit that ended a run.
[[nodiscard]] std::string limit_sentence(stop_reason reason, const limits& bounds);

/// Returns the sentence for a person after a failed model call. Does not contain text from the service.
[[nodiscard]] std::string provider_sentence(const failure& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
