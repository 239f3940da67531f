#pragma once
#include <pyaichat/core/result.hpp>

#include <functional>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// Starts a thread that blocks all signals; so a write to a closed pipe fails, and does not end the host. Fails with `internal` if the
/// system refuses a thread.
[[nodiscard]] result<std::thread> start_signal_free_thread(std::function<void()> body);

}  // namespace pyaichat::inline PYAICHAT_ABI::process
