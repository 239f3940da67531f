#pragma once
#include <pyaichat/net/url.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Writes the head of an HTTP/1.1 request (RFC 9112): the request line, `Host`, the headers of the request, and those that it does not give
/// itself (`User-Agent`, `Accept`, `Accept-Encoding`, `Content-Length`). `adapter::check_head` must have passed. If `compressed`, the
/// response may be.
[[nodiscard]] std::string request_head(const http_request& request, const url& target, bool compressed);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
