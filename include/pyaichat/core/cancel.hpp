#pragma once
#include <pyaichat/config/config.hpp>

#include <stop_token>

namespace pyaichat::inline PYAICHAT_ABI {

/// Cancellation: the stop tokens of the standard library. Thread-safe and cheap to copy; a request to stop is permanent.
/// A default-constructed `cancel_token` is never cancelled.
using cancel_source = std::stop_source;
using cancel_token = std::stop_token;

/// Runs a function on the thread that requests the cancellation, or at once if cancellation was requested before.
template <class Callback>
using cancel_callback = std::stop_callback<Callback>;

}  // namespace pyaichat::inline PYAICHAT_ABI
