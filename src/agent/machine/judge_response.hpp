#pragma once
#include <pyaichat/message/response.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The usable candidate of a response, or why there is none.
struct verdict {
    candidate* chosen = nullptr;  ///< the first usable candidate, or null
    bool blocked = false;         ///< all candidates were blocked for safety
    std::string why = {};         ///< if none is usable: the reason, for the model and for a person
};

/// Chooses the first candidate with valid content and an acceptable finish reason.
[[nodiscard]] verdict judge(model_response& response);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
