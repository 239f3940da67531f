#include <pyaichat/policy/any_http_transport.hpp>

#include "policy/wait_room.hpp"

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// Tells the thread that waits for an exchange when it has finished.
struct exchange_end {
    detail::wait_room room;
    bool reached = false;
};

/// Passes everything on to the exchange of a waiting thread.
class waited_exchange final : public http_exchange {
public:
    waited_exchange(http_exchange& inner, std::shared_ptr<exchange_end> end) : inner_(inner), end_(std::move(end)) {}
    waited_exchange(const waited_exchange&) = delete;
    waited_exchange& operator=(const waited_exchange&) = delete;
    ~waited_exchange() override {
        if (end_) {
            waited_exchange::finish(failure{.code = errc::internal, .message = "the transport dropped an exchange without an outcome"});
        }
    }

    result<http_request> request() override { return inner_.request(); }
    bool streams() const noexcept override { return inner_.streams(); }
    bool take(std::string_view piece) override { return inner_.take(piece); }
    void finish(result<http_response> outcome) override {
        inner_.finish(std::move(outcome));
        const std::shared_ptr<exchange_end> end = std::move(end_);
        std::unique_lock lock = end->room.lock();
        end->reached = true;
        end->room.wake(std::move(lock));
    }

private:
    http_exchange& inner_;
    std::shared_ptr<exchange_end> end_;
};

/// A request that is made already, for an asynchronous transport.
class made_exchange final : public http_exchange {
public:
    made_exchange(const http_request& wire, const http_body_sink* sink) : wire_(wire), sink_(sink) {}

    result<http_request> request() override { return wire_; }
    bool streams() const noexcept override { return sink_ != nullptr; }
    bool take(std::string_view piece) override {
        return guarded([&] { return (*sink_)(piece); },
                       [&](std::string_view what) {
                           thrown_ = failure{.code = errc::internal, .message = "the sink of a response threw: " + std::string(what)};
                           return false;
                       });
    }
    void finish(result<http_response> outcome) override { outcome_ = thrown_ ? *std::move(thrown_) : std::move(outcome); }
    [[nodiscard]] result<http_response> outcome() && { return std::move(outcome_); }

private:
    const http_request& wire_;
    const http_body_sink* sink_;
    std::optional<failure> thrown_ = {};
    result<http_response> outcome_ = failure();
};

}  // namespace

result<http_response> any_http_transport::exchange(const http_request& request, const http_body_sink* sink,
                                                   const cancel_token& cancel) const {
    if (self_->is_blocking()) {
        return self_->exchange(request, sink, cancel);
    }
    made_exchange made(request, sink);
    perform(made, cancel);
    return std::move(made).outcome();
}

result<http_response> any_http_transport::send(const http_request& request, const cancel_token& cancel) const {
    return exchange(request, nullptr, cancel);
}

result<http_response> any_http_transport::stream(const http_request& request, const http_body_sink& sink,
                                                 const cancel_token& cancel) const {
    return exchange(request, &sink, cancel);
}

void any_http_transport::start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) const {
    if (self_->is_async()) {
        self_->start(std::move(exchange), cancel);
    } else {
        perform(*exchange, cancel);
    }
}

void any_http_transport::perform(http_exchange& exchange, const cancel_token& cancel) const {
    if (self_->is_blocking()) {
        if (cancel.stop_requested()) {
            return exchange.finish(failure{.code = errc::cancelled, .message = "cancelled before the request was made"});
        }
        const result<http_request> request = exchange.request();
        if (!request) {
            return exchange.finish(request.error());
        }
        const http_body_sink take = [&exchange](std::string_view piece) { return exchange.take(piece); };
        return exchange.finish(self_->exchange(*request, exchange.streams() ? &take : nullptr, cancel));
    }
    const auto end = std::make_shared<exchange_end>();
    detail::loop_claim claim(self_->loop());
    static_cast<void>(claim.hold());  // before `start`, so that this thread runs what it starts
    self_->start(std::make_unique<waited_exchange>(exchange, end), cancel);
    for (std::unique_lock lock = end->room.lock(); !end->reached;) {
        end->room.wait(lock, longest_wait, claim, [&] { return end->reached; });
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
