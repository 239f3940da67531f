#pragma once
#include <pyaichat/message/response.hpp>

#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The usable candidate of a response, or why there is none.
struct verdict {
    candidate* chosen = nullptr;  ///< the first usable candidate, or null
    bool blocked = false;         ///< all candidates were blocked for safety
    std::string why = {};         ///< if none is usable: the reason, for the model and for a person
};

/// A response with more calls than this is unusable: each call costs events, a reply, and time on the pumping thread.
inline constexpr std::size_t most_calls_in_response = 1024;

/// Drops the parts after one call too many, and normalises the arguments of the calls. For the thread that answers.
void normalise(model_response& response);

/// Chooses the first candidate with valid content and an acceptable finish reason.
[[nodiscard]] verdict judge(model_response& response);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
