#include <pyaichat/net/https.hpp>

#include "net/transport_core.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

https_transport::https_transport(https_options options)
    : core_(std::make_shared<transport_core>(transport_core::parts{.options = std::move(options)})) {}

result<http_response> https_transport::send(const http_request& request, const cancel_token& cancel) {
    const std::shared_ptr<transport_core> core = core_;  // a callback may destroy this object
    return core->perform(request, nullptr, cancel);
}

result<http_response> https_transport::stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    const std::shared_ptr<transport_core> core = core_;
    return core->perform(request, &sink, cancel);
}

void https_transport::start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) {
    core_->start(std::move(exchange), cancel);
}

std::shared_ptr<event_loop> https_transport::loop() const {
    return core_->loop();
}

void https_transport::poll(duration budget) {
    core_->poll(budget);
}

int https_transport::fd() const noexcept {
    return core_->descriptor();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
