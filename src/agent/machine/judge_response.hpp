#pragma once
#include <pyaichat/message/response.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What the loop can do with a response.
struct verdict {
    candidate* chosen = nullptr;  ///< the first usable candidate, or null
    bool blocked = false;         ///< none is usable, and all were refused for safety
    std::string why = {};         ///< none is usable: what was wrong, for the model and for a person
};

/// Takes the first candidate with valid content and an acceptable finish reason.
[[nodiscard]] verdict judge(model_response& response);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
