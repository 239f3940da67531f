#pragma once
#include "net/byte_stream.hpp"

#include <pyaichat/net/url.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// An HTTP proxy that lets TLS connections through (CONNECT).
struct proxy {
    std::string host = {};
    int port = 0;
    std::string credentials = {};  ///< "name:password", decoded; empty = none. Never in a text.

    [[nodiscard]] std::string name() const { return host + ":" + std::to_string(port); }
};

/// `[http://][name:password@]host[:port]`; port 80 when none is given. Fails with `invalid_argument` and never repeats the credentials.
[[nodiscard]] result<proxy> parse_proxy(std::string_view text);

/// Whether the list (`NO_PROXY`: names and addresses, separated by commas or blanks) exempts a host from the proxy. `example.org` and
/// `.example.org` exempt the name and every name below it, `host:port` one port, `*` everything.
[[nodiscard]] bool reached_directly(const url& target, std::string_view no_proxy);

/// Asks the proxy at the other end of `stream` for a tunnel to the target. Fails with `connection_failed`.
[[nodiscard]] result<void> open_tunnel(byte_stream& stream, const proxy& via, const url& target);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
