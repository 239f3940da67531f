// The transport of builds without sockets and TLS (PYAICHAT_NET=OFF). Providers need a transport of the host's there.
#include <pyaichat/net/https.hpp>

#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

class transport_core {};

namespace {

failure no_sockets() {
    return {.code = errc::unavailable,
            .message = "this build has no HTTP client (PYAICHAT_NET=OFF)",
            .hint = "Give the provider a transport of the host's, or build with PYAICHAT_NET=ON."};
}

}  // namespace

https_transport::https_transport(https_options) {}

result<http_response> https_transport::send(const http_request&, const cancel_token&) {
    return no_sockets();
}

result<http_response> https_transport::stream(const http_request&, const http_body_sink&, const cancel_token&) {
    return no_sockets();
}

void https_transport::start(std::unique_ptr<http_exchange> exchange, const cancel_token&) {
    // Not here: `start` calls no member of the exchange.
    std::thread([failing = std::move(exchange)] { failing->finish(no_sockets()); }).detach();
}

std::shared_ptr<event_loop> https_transport::loop() const {
    return nullptr;
}

void https_transport::poll(duration) {}

int https_transport::fd() const noexcept {
    return -1;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
