#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/net/url.hpp>
#include <pyaichat/policy/http_transport.hpp>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Checks whether a request may be sent. Fails with `invalid_argument`; see `check_head`. Plain `http://` would expose the API key, except
/// on this machine.
[[nodiscard]] result<void> check_request(const http_request& request, const url& target);

/// Returns whether a request may be sent again though the server may have acted on it.
[[nodiscard]] bool may_be_repeated(const http_request& request) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::net
