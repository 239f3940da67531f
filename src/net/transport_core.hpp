#pragma once
#include "net/http_engine.hpp"
#include "net/loop_runner.hpp"
#include "net/system.hpp"

#include <pyaichat/net/https.hpp>
#include <pyaichat/policy/async_http_transport.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// What the copies of an `https_transport` share.
class transport_core {
public:
    struct parts {
        https_options options = {};
        host_lookup look_up = &lookup_addresses;
        poller_kind poller = poller_kind::best;
        duration thread_idle = std::chrono::seconds(5);
    };

    explicit transport_core(const parts& chosen);
    transport_core(const transport_core&) = delete;
    transport_core& operator=(const transport_core&) = delete;
    ~transport_core();

    void start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel);
    /// Starts an exchange and waits for it. A null sink: collects the body.
    [[nodiscard]] result<http_response> perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel);

    [[nodiscard]] std::shared_ptr<event_loop> loop() const { return runner_; }
    void poll(duration budget);
    [[nodiscard]] int descriptor() const noexcept { return runner_->descriptor(); }

private:
    parts parts_;
    std::shared_ptr<loop_runner> runner_;
    http_engine* engine_;  ///< owned by the runner
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
