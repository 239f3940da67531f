#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/net/url.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// An HTTP proxy that tunnels TLS connections (CONNECT).
struct proxy {
    std::string host = {};
    int port = 0;
    std::string credentials = {};  ///< "name:password", decoded; empty = none. Never part of a message.

    [[nodiscard]] std::string name() const { return url{.scheme = {}, .host = host, .port = port}.authority(); }
};

/// Parses `[http://][name:password@]host[:port]`; the default port is 80. Fails with `invalid_argument`; the message has no credentials.
[[nodiscard]] result<proxy> parse_proxy(std::string_view text);

/// Returns whether `no_proxy` (names and addresses, separated by commas or blanks) exempts a host from the proxy. `example.org` and
/// `.example.org` match the name and its subdomains, `host:port` one port, `*` everything.
[[nodiscard]] bool bypasses_proxy(const url& target, std::string_view no_proxy);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
