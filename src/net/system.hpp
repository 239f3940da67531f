#pragma once
/// The operating system functions of the net room, without system headers. Implemented by `system_posix.cpp` only.
#include <pyaichat/core/result.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Looks up the numeric addresses of a host, in the order in which to try them. Blocks without a time limit.
/// Fails with `connection_failed`.
[[nodiscard]] result<std::vector<std::string>> lookup_addresses(const std::string& host);

/// Returns whether the text is a numeric address, which needs no lookup.
[[nodiscard]] bool is_numeric_address(const std::string& host);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
