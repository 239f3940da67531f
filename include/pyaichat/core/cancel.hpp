#pragma once
#include <pyaichat/config/config.hpp>

#include <stop_token>

namespace pyaichat::inline PYAICHAT_ABI {

/// The standard's own stop tokens under the names of this library: thread-safe, cheap to copy, sticky once tripped.
/// A default `cancel_token` is never tripped.
using cancel_source = std::stop_source;
using cancel_token = std::stop_token;

/// Runs a function when the token is tripped, on the thread that trips it; at once if it was tripped before.
template <class Callback>
using cancel_callback = std::stop_callback<Callback>;

}  // namespace pyaichat::inline PYAICHAT_ABI
