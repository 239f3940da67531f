#pragma once
#include "net/proxy.hpp"
#include "net/response_head.hpp"

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Asks a proxy for a tunnel to a service (CONNECT), without I/O.
class proxy_tunnel {
public:
    enum class state : unsigned char { unfinished, open, refused };

    proxy_tunnel(proxy via, const url& target);

    /// Returns the bytes for the proxy.
    [[nodiscard]] const std::string& request() const noexcept { return request_; }
    /// Takes the next bytes of the proxy.
    [[nodiscard]] state take(std::string_view bytes);
    /// Explains why the tunnel is refused; if the proxy has not said so, it has closed the connection.
    [[nodiscard]] failure why() const;

private:
    proxy via_;
    std::string request_;
    response_head head_ = {};
    bool valid_ = true;
    bool has_head_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
