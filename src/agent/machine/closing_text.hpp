#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/agent/limits.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The sentence that says which limit ended a run.
[[nodiscard]] std::string limit_sentence(stop_reason reason, const limits& bounds);

/// The sentence for a person when the model could not be asked. Never the raw text of the service.
[[nodiscard]] std::string provider_sentence(const failure& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
