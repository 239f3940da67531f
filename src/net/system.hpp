#pragma once
/// What the net room asks of the operating system, without any of its headers. `system_posix.cpp` is the only implementation so far.
#include <pyaichat/core/result.hpp>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The numeric addresses of a host, in the order in which they should be tried. Blocks for as long as the system's resolver likes.
/// Fails with `connection_failed`.
[[nodiscard]] result<std::vector<std::string>> lookup_addresses(const std::string& host);

/// Whether the text is a numeric address, which needs no look-up.
[[nodiscard]] bool is_numeric_address(const std::string& host);

/// Starts a thread on which no signal of the process is ever delivered. Fails with `internal` when there are no threads left.
[[nodiscard]] result<std::thread> start_quiet_thread(std::function<void()> body);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
