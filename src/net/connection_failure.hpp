#pragma once
#include <pyaichat/core/failure.hpp>

#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Makes a failure of the connection, or of the peer at its other end.
[[nodiscard]] inline failure connection_failure(std::string message, std::string hint) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = std::move(hint)};
}

/// Makes a failure that lasts until somebody changes the setup of the client or of the peer.
[[nodiscard]] inline failure setup_failure(std::string message, std::string hint) {
    return {.code = errc::unreachable, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
