#include "net/transport_core.hpp"

#include "net/blocking_exchange.hpp"
#include "net/http_call.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>

#include <new>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

failure forked_failure() {
    return {.code = errc::invalid_state,
            .message = "the program has forked: this process has neither the connections nor the thread of the transport",
            .hint = "After a fork, make a new transport in the child process."};
}

}  // namespace

transport_core::transport_core(const parts& chosen)
    : parts_(chosen),
      runner_(std::make_shared<loop_runner>(
          loop_runner::options{.own_thread = chosen.options.own_thread, .poller = chosen.poller, .thread_idle = chosen.thread_idle})) {
    auto engine = std::make_unique<http_engine>(*runner_, chosen.options, chosen.look_up);
    engine_ = engine.get();
    runner_->adopt(std::move(engine));
}

transport_core::~transport_core() {
    if (runner_->forked()) {
        // Destroying the runner would shut down the connections of the parent.
        static_cast<void>(new (std::nothrow) std::shared_ptr<loop_runner>(runner_));
        return;
    }
    runner_->close();
}

void transport_core::start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) {
    if (runner_->forked()) {
        // Not on this thread: no member of an exchange is called within `start`.
        const std::shared_ptr<http_exchange> shared = std::move(exchange);
        result<std::thread> thread = detail::start_quiet_thread([shared] { shared->finish(forked_failure()); });
        return thread ? thread->detach() : shared->finish(forked_failure());
    }
    auto call = std::make_shared<http_call>(*engine_, *runner_, std::move(exchange));
    call->listen(cancel);
    runner_->start(std::move(call));
}

result<http_response> transport_core::perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) {
    if (runner_->forked()) {
        return forked_failure();
    }
    if (runner_->inside()) {
        // Made by the receiver of a stream, which this thread runs the loop for. The loop cannot be run inside of itself.
        return transport_core(parts_).perform(request, sink, cancel);
    }
    const auto block = std::make_shared<blocking_exchange::wait_block>(runner_, sink);
    blocking_wait waiting(*runner_, block, parts_.options.own_thread);
    cancel_source stop(std::nostopstate);
    if (sink == nullptr) {
        start(std::make_unique<blocking_exchange>(request, block), cancel);
        return waiting.wait(stop);
    }
    stop = cancel_source();
    const std::stop_callback relay(cancel, [&] { stop.request_stop(); });
    start(std::make_unique<blocking_exchange>(request, block), stop.get_token());
    return waiting.wait(stop);
}

void transport_core::poll(duration budget) {
    const std::shared_ptr<loop_runner> runner = runner_;  // a callback may destroy the transport
    if (!runner->forked()) {
        runner->poll(budget);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
