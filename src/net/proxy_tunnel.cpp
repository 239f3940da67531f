#include "net/proxy_tunnel.hpp"

#include "core/base64.hpp"
#include "net/connection_failure.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

failure tunnel_failure(const proxy& via, const std::string& why) {
    return connection_failure("the proxy " + via.name() + " did not connect: " + why,
                              "The service could not be reached (the proxy " + via.name() + ": " + why + ").");
}

/// The same failure, for a reason that a retry does not change.
failure lasting(failure error) {
    error.code = errc::unreachable;
    return error;
}

}  // namespace

proxy_tunnel::proxy_tunnel(proxy via, const url& target) : via_(std::move(via)) {
    const std::string authority = target.authority();
    request_ = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!via_.credentials.empty()) {
        request_ += "Proxy-Authorization: Basic " + detail::encode_base64(via_.credentials) + "\r\n";
    }
    request_ += "\r\n";
}

proxy_tunnel::state proxy_tunnel::take(std::string_view bytes) {
    switch (head_.take(bytes)) {
        case response_head::state::unfinished: return state::unfinished;
        case response_head::state::finished: has_head_ = true; break;
        case response_head::state::malformed:
        case response_head::state::too_large: valid_ = false; return state::refused;
    }
    if (head_.status() / 100 != 2) {
        return state::refused;
    }
    // In a TLS tunnel the client sends first: bytes that follow the head cannot be from the target.
    valid_ = bytes.empty();
    return valid_ ? state::open : state::refused;
}

failure proxy_tunnel::why() const {
    if (!valid_) {
        return tunnel_failure(via_, "its response is not valid");
    }
    if (!has_head_) {
        return tunnel_failure(via_, "it closed the connection");
    }
    if (head_.status() == 407) {
        return lasting(
            tunnel_failure(via_, via_.credentials.empty() ? "it requires a name and a password" : "it refused the name and the password"));
    }
    const failure refused = tunnel_failure(via_, "it refused with status " + std::to_string(head_.status()));
    return head_.status() / 100 == 5 ? refused : lasting(refused);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
