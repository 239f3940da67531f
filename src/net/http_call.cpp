#include "net/http_call.hpp"

#include "net/connection_failure.hpp"
#include "net/request_head.hpp"

#include <pyaichat/net/adapter/outgoing_request.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr auto longest_refusal = std::chrono::seconds(1);     ///< for the body of an error response
constexpr std::size_t largest_share = std::size_t{64} << 10;  ///< bytes received for one connection in a turn of the loop

}  // namespace

http_call::http_call(http_engine& engine, loop_runner& runner, std::unique_ptr<http_exchange> exchange)
    : engine_(engine), runner_(runner), exchange_(std::move(exchange)), timer_(engine.shared().loop.timers(), [this] { time_over(); }) {}

http_call::~http_call() = default;

void http_call::listen(const cancel_token& cancel) {
    if (cancel.stop_possible()) {
        cancel_callback_.emplace(cancel, cancel_hook{this});
    }
    listening_ = true;
}

/// May run on any thread, also before the call is given to the runner: then `arrive` sees the flag.
void http_call::request_cancel() {
    cancel_requested_ = true;
    if (listening_) {
        runner_.post(std::shared_ptr<loop_message>(shared_from_this(), &cancel_message_), true);
    }
}

void http_call::cancel_message::arrive() {
    if (call.service_ != nullptr) {  // otherwise it has not begun, or has ended at its beginning
        call.end(call.cancellation());
    }
}

void http_call::arrive() {
    engine_.add(shared_from_this());
    engine_.closing() ? end_with_transport() : cancelled() ? end(cancellation()) : begin();
}

void http_call::begin() {
    result<http_request> made =
        guarded([&] { return exchange_->request(); },
                [](std::string_view text) -> result<http_request> {
                    return failure{.code = errc::internal, .message = "the request was not made: " + std::string(text)};
                });
    if (!made) {
        return end(std::move(made).error());
    }
    request_ = std::move(*made);
    result<url> target = adapter::check_request(request_);
    if (!target) {
        return end(std::move(target).error());
    }
    target_ = std::move(*target);
    origin_ = target_.scheme + "://" + target_.authority();
    deadline_ = started_ + bounded_wait(request_.timeout);
    if (late()) {
        return end(timeout());
    }
    timer_.set(deadline_);
    if (exchange_->streams()) {
        sink_ = [this](std::string_view piece) { return take(piece); };
    }
    service_ = &engine_.pool().find(origin_);
    if (!engine_.pool().admit(*service_)) {
        waiting_ = true;
        return engine_.pool().wait(*service_, *this);
    }
    admitted();
}

void http_call::admitted() {
    waiting_ = false;
    in_use_ = true;
    if (std::unique_ptr<http_connection> kept = engine_.pool().take(*service_)) {
        kept_ = true;
        return exchange_on(std::move(kept));
    }
    connect();
}

void http_call::connect() {
    kept_ = false;
    setup_ = std::make_unique<connection_setup>(engine_.shared(), target_, std::exchange(service_->ticket, nullptr),
                                                static_cast<connection_setup::user&>(*this));
    setup_->start();
}

void http_call::setup_done(std::unique_ptr<http_connection> connection) {
    if (!outcome_) {
        exchange_on(std::move(connection));
    }
}

void http_call::setup_failed(failure why) {
    end(explain(std::move(why)));
}

void http_call::exchange_on(std::unique_ptr<http_connection> connection) {
    connection_ = std::move(connection);
    connection_->set_user(*this);
    if (head_.empty()) {
        head_ = request_head(request_, target_, !sink_);  // compression would delay the pieces of a stream
    }
    unsent_head_ = head_;
    unsent_body_ = request_.body;
    sent_ = false;
    send_broken_ = false;
    reader_.emplace(request_, sink_ ? &sink_ : nullptr);
    reader_->interrupt_by([this] { return cancelled() || late(); });
    send();
    receive();
}

void http_call::connection_ready(http_connection&) {
    if (outcome_) {
        return;  // it ended in this turn
    }
    setup_.reset();
    send();
    receive();
}

void http_call::send() {
    if (send_broken_) {
        return;  // the response is read nevertheless: it may say why ("too large")
    }
    const http_connection::state now = connection_->send(unsent_head_, unsent_body_);
    sent_ = now == http_connection::state::done;
    send_broken_ = now == http_connection::state::broken;
}

void http_call::receive() {
    for (std::size_t received = 0;;) {
        std::string_view bytes;
        const http_connection::state now = connection_->receive(bytes);
        if (now == http_connection::state::blocked) {
            return;
        }
        if (now != http_connection::state::done) {
            reader_->end_of_connection(now == http_connection::state::closed);
            return exchange_over(false);
        }
        received += bytes.size();
        reader_->take(bytes);
        if (reader_->has_ended()) {
            return exchange_over(bytes.empty());
        }
        if (cancelled()) {
            return end(cancellation());
        }
        if (reader_->is_refusal()) {
            shorten_for_refusal();
        }
        if (received >= largest_share && !connection_->has_unread()) {
            return connection_->tell_again();  // other connections and timers come first
        }
    }
}

bool http_call::take(std::string_view piece) {
    if (cancelled()) {
        return false;
    }
    const bool more = guarded([&] { return exchange_->take(piece); },
                              [&](std::string_view text) {
                                  thrown_ = text;
                                  return false;
                              });
    return more && !cancelled();
}

void http_call::shorten_for_refusal() {
    if (!std::exchange(reads_refusal_, true)) {
        timer_.set(std::min(deadline_, engine_.shared().loop.now() + longest_refusal));
    }
}

void http_call::time_over() {
    if (reads_refusal_) {
        reader_->end_of_connection(false);
        return exchange_over(false);
    }
    end(timeout());
}

void http_call::exchange_over(bool nothing_follows) {
    const bool unread = connection_->has_unread() && !connection_->idle();
    reusable_ = sent_ && nothing_follows && !unread && reader_->keeps_connection();
    const bool received_any = reader_->received_any();
    const bool complete = reader_->now() == response_reader::state::finished;
    const std::string complaint = connection_->tls() != nullptr ? connection_->tls()->complaint() : std::string();
    result<http_response> response =
        !received_any && !complaint.empty()
            ? setup_failure(peer() + " ended the TLS session: " + complaint, "The service refused the TLS connection (" + complaint + ").")
            : reader_->take_response(peer());
    if (response) {
        return !complete && cancelled() ? end(cancellation()) : end(std::move(response));
    }
    if (thrown_) {
        return end(failure{.code = errc::internal, .message = "the receiver of the response failed: " + *thrown_});
    }
    // The server may have closed the connection before the request arrived, or after it acted on the request. Only a repeatable request
    // is sent again.
    if (kept_ && !received_any && adapter::is_repeatable(request_) && !cancelled() && !late()) {
        connection_.reset();
        return connect();
    }
    end(explain(std::move(response).error()));
}

void http_call::end(result<http_response> outcome) {
    if (outcome_) {
        return;
    }
    outcome_.emplace(std::move(outcome));
    timer_.cancel();
    if (std::exchange(waiting_, false)) {
        engine_.pool().forget(*service_, *this);
    }
    engine_.conclude_later(*this);
}

void http_call::end_with_transport() {
    end(failure{.code = errc::cancelled, .message = "the request was cancelled: its transport was destroyed"});
}

void http_call::conclude() {
    setup_.reset();
    if (!reusable_) {
        connection_.reset();
    }
    if (in_use_) {
        engine_.pool().release(*service_, std::move(connection_));
    }
    cancel_callback_.reset();
    guarded([&] { exchange_->finish(*std::move(outcome_)); }, [](std::string_view) {});
    exchange_.reset();
}

void http_call::refuse(failure why) {
    cancel_callback_.reset();
    exchange_->finish(std::move(why));
    exchange_.reset();
}

std::string http_call::peer() const {
    return target_.authority();
}

failure http_call::cancellation() const {
    return {.code = errc::cancelled, .message = "the request" + (origin_.empty() ? "" : " to " + origin_) + " was cancelled"};
}

failure http_call::timeout() const {
    if (waiting_) {
        const std::string count = std::to_string(service_->in_use) + (service_->in_use == 1 ? " is" : " are");
        return {.code = errc::timeout,
                .message = "waited " + describe(request_.timeout) + " for a free connection to " + origin_ + ": " + count + " in use",
                .hint =
                    "All connections to the service are in use. Raise `max_connections_per_origin` of the transport's options, or send "
                    "fewer requests at the same time."};
    }
    if (const std::string name = setup_ ? setup_->unresolved() : std::string(); !name.empty()) {
        return {.code = errc::timeout,
                .message = "the name " + name + " was not resolved in time",
                .hint = "The service did not answer in time (its name could not be resolved)."};
    }
    return {.code = errc::timeout,
            .message = "no complete response from " + origin_ + " within " + describe(request_.timeout),
            .hint = "The service did not answer in time."};
}

/// An interrupted operation fails with any error: reports the cause of the interruption instead.
failure http_call::explain(failure error) const {
    if (cancelled()) {
        return cancellation();
    }
    return late() && error.code != errc::timeout ? timeout() : error;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
