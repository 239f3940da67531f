#pragma once
/// An asynchronous transport over a blocking one: its exchanges run when its loop does.
#include <pyaichat/policy/any_http_transport.hpp>

#include "manual_loop.hpp"

#include <memory>
#include <utility>

namespace bench {

class looped_transport {
public:
    explicit looped_transport(pyaichat::any_http_transport blocking) : blocking_(std::move(blocking)) {}

    void start(std::unique_ptr<pyaichat::http_exchange> exchange, const pyaichat::cancel_token& cancel) {
        runs->post(pyaichat::task([inner = blocking_, exchange = std::move(exchange), cancel] { inner.perform(*exchange, cancel); }));
    }
    [[nodiscard]] std::shared_ptr<pyaichat::event_loop> loop() const { return runs; }

    std::shared_ptr<manual_loop> runs = std::make_shared<manual_loop>();
    std::shared_ptr<int> alive = std::make_shared<int>(0);  ///< as long as a copy of the transport

private:
    pyaichat::any_http_transport blocking_;
};

}  // namespace bench
