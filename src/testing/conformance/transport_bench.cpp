#include "testing/conformance/transport_bench.hpp"

#include "testing/conformance/process_state.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

std::string described(const result<http_response>& outcome) {
    return outcome ? "it returned status " + std::to_string(outcome->status) + " and a body of " + std::to_string(outcome->body.size()) +
                         " bytes"
                   : "it failed with " + std::string(to_string(outcome.error().code)) + ": " + outcome.error().message;
}

std::string_view name_of(exchange_form form) noexcept {
    return form == exchange_form::send ? "send" : "stream";
}

transport_exchange::transport_exchange(any_http_transport transport, http_request request, exchange_form form, std::size_t stop_at,
                                       cancel_source stop) {
    state_->stop = std::move(stop);
    std::thread([state = state_, transport = std::move(transport), request = std::move(request), form, stop_at]() mutable {
        run(state, transport, request, form, stop_at);
    }).detach();
}

void transport_exchange::run(const std::shared_ptr<shared>& state, any_http_transport& transport, const http_request& request,
                             exchange_form form, std::size_t stop_at) {
    const signal_mask before = signal_mask::of_this_thread();
    const http_body_sink sink = [&, thread = std::this_thread::get_id()](std::string_view piece) {
        const std::lock_guard lock(state->mutex);
        state->streamed += piece;
        state->used_other_thread = state->used_other_thread || std::this_thread::get_id() != thread;
        state->changed.notify_all();
        return ++state->pieces != stop_at;
    };
    const cancel_token cancel = state->stop.get_token();
    result<http_response> outcome =
        guarded([&] { return form == exchange_form::send ? transport.send(request, cancel) : transport.stream(request, sink, cancel); },
                [](std::string_view what) { return result<http_response>(failure{.message = "it threw: " + std::string(what)}); });
    const auto ended = std::chrono::steady_clock::now();
    const bool changed_mask = signal_mask::of_this_thread() != before;
    {
        // The copy of the transport goes away before the exchange counts as ended, for the check of what is left.
        const any_http_transport released = std::move(transport);
    }
    const std::lock_guard lock(state->mutex);
    state->ended = ended;
    state->changed_mask = changed_mask;
    state->outcome = std::move(outcome);
    state->changed.notify_all();
}

transport_exchange::~transport_exchange() {
    state_->stop.request_stop();
}

void transport_exchange::cancel() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->since = std::chrono::steady_clock::now();
    }
    state_->stop.request_stop();
}

bool transport_exchange::ends_within(duration span) const {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, span, [&] { return state_->outcome.has_value(); });
}

bool transport_exchange::receives(std::size_t bytes, duration span) const {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, span, [&] { return state_->streamed.size() >= bytes; });
}

http_request transport_bench::request_to(int port, std::string_view target) const {
    http_request request;
    request.method = "GET";
    request.url = "http://127.0.0.1:" + std::to_string(port) + std::string(target);
    request.timeout = subject_.patience + std::chrono::seconds(5);
    return request;
}

result<http_response> transport_bench::perform(const any_http_transport& transport, const http_request& request, exchange_form form,
                                               std::string& wrong) const {
    const transport_exchange exchange(transport, request, form);
    if (!exchange.ends_within(patience())) {
        wrong = std::string(name_of(form)) + ": it did not return within " + describe(patience());
        return failure{.message = wrong};
    }
    result<http_response> outcome = exchange.outcome();
    if (outcome && form == exchange_form::stream && outcome->status / 100 == 2) {
        outcome->body = exchange.streamed();
    }
    return outcome;
}

std::string transport_bench::objection_to_abort(transport_exchange& exchange, const std::string& state) const {
    exchange.cancel();
    if (!exchange.ends_within(patience())) {
        return state + ": it did not return within " + describe(patience()) + " after the cancellation";
    }
    note("returned " + describe(exchange.took()) + " after a cancellation " + state);
    if (exchange.outcome() || exchange.outcome().error().code != errc::cancelled) {
        return state + ": " + described(exchange.outcome()) + "; `cancelled` was expected";
    }
    return exchange.took() > slack() ? state + ": it returned " + describe(exchange.took()) + " after the cancellation" : std::string();
}

std::string transport_bench::objection_to_deadline(const any_http_transport& transport, http_request request, exchange_form form,
                                                   const std::string& state) const {
    constexpr auto timeout = std::chrono::milliseconds(300);
    constexpr auto rounding = std::chrono::milliseconds(5);
    request.timeout = timeout;
    const transport_exchange exchange(transport, std::move(request), form);
    if (!exchange.ends_within(patience())) {
        return state + ": with a timeout of 300 ms, it did not return within " + describe(patience());
    }
    if (exchange.outcome() || exchange.outcome().error().code != errc::timeout) {
        return state + ": " + described(exchange.outcome()) + "; `timeout` was expected";
    }
    note("returned " + describe(exchange.took() - timeout) + " after the deadline " + state);
    return exchange.took() > timeout + slack() || exchange.took() + rounding < timeout
               ? state + ": with a timeout of 300 ms, it returned after " + describe(exchange.took())
               : std::string();
}

std::string transport_bench::objection_to_failure(const any_http_transport& transport, const http_request& request, exchange_form form,
                                                  std::initializer_list<errc> codes) const {
    std::string wrong;
    const result<http_response> outcome = perform(transport, request, form, wrong);
    if (!wrong.empty()) {
        return wrong;
    }
    if (outcome || std::find(codes.begin(), codes.end(), outcome.error().code) == codes.end()) {
        return described(outcome) + "; `" + std::string(to_string(*codes.begin())) + "` was expected";
    }
    return outcome.error().message.empty() ? "the failure has no message" : std::string();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
