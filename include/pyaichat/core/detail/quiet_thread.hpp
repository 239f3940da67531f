#pragma once
#include <pyaichat/core/result.hpp>

#include <functional>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Starts a thread that blocks all signals: it runs no handler of the host, and its write to a closed pipe fails instead of ending the
/// process. Fails with `internal` if the system refuses a thread.
[[nodiscard]] result<std::thread> start_quiet_thread(std::function<void()> body);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
