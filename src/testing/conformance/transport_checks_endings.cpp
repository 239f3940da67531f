/// Checks of cancellations and deadlines, in every state of an exchange.
#include "testing/conformance/raw_listener.hpp"
#include "testing/conformance/transport_bench.hpp"

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using ending = loopback_reply::ending;
using behaviour = raw_listener::behaviour;

constexpr auto settled = std::chrono::milliseconds(50);  ///< time in which an exchange reaches a state that nobody can observe

std::string tls_url(const raw_listener& listener) {
    return "https://127.0.0.1:" + std::to_string(listener.port()) + "/";
}

/// Aborts an exchange in each form, after `reached` has become true. Returns what is wrong.
template <class Reached>
std::string abort_each(const transport_bench& bench, const http_request& request, const std::string& state, Reached reached) {
    const any_http_transport transport = bench.make();
    int times = 0;
    for (const exchange_form form : both_forms) {
        transport_exchange exchange(transport, request, form);
        ++times;
        if (!holds_within(bench.patience(), [&] { return reached(times) || exchange.ends_within(duration::zero()); })) {
            return state + ": the exchange did not get there";
        }
        if (exchange.ends_within(settled)) {
            return state + ": " + described(exchange.outcome()) + " before it was cancelled";
        }
        if (std::string wrong = bench.objection_to_abort(exchange, state + ", in " + std::string(name_of(form))); !wrong.empty()) {
            return wrong;
        }
    }
    return {};
}

std::string abort_before_start(const transport_bench& bench) {
    const loopback_server server([](const loopback_request&) { return loopback_reply{.bytes = http_message(200, {}, "ok")}; });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        cancel_source stop;
        stop.request_stop();
        const transport_exchange exchange(transport, bench.request_to(server.port()), form, 0, stop);
        if (!exchange.ends_within(bench.patience())) {
            return "it did not return";
        }
        if (exchange.outcome() || exchange.outcome().error().code != errc::cancelled) {
            return described(exchange.outcome()) + "; `cancelled` was expected";
        }
    }
    // The server accepts connections in their order: after this one, it has seen the others.
    std::string wrong;
    const result<http_response> next = bench.perform(transport, bench.request_to(server.port()), exchange_form::send, wrong);
    if (!next) {
        return wrong.empty() ? "the next exchange: " + described(next) : wrong;
    }
    return server.connections() == 1 ? std::string() : "it opened a connection";
}

std::string abort_connecting(const transport_bench& bench) {
    const deaf_listener deaf;
    return abort_each(bench, bench.request_to(deaf.port()), "while it connects", [](int) { return true; });
}

std::string abort_handshake(const transport_bench& bench) {
    const raw_listener silent(1, behaviour::hangs);
    http_request request = bench.request_to(silent.port());
    request.url = tls_url(silent);
    return abort_each(bench, request, "in the TLS handshake", [&](int times) { return silent.reached() >= times; });
}

std::string abort_sending(const transport_bench& bench) {
    const raw_listener slow(1, behaviour::hangs);
    http_request request = bench.request_to(slow.port());
    request.method = "POST";
    request.body.assign(std::size_t{32} << 20, ' ');  // more than the buffers of both sockets hold
    return abort_each(bench, request, "while it sends", [&](int times) { return slow.reached() >= times; });
}

std::string abort_head(const transport_bench& bench) {
    std::atomic<int> requests = 0;
    const loopback_server server([&](const loopback_request&) {
        ++requests;
        return loopback_reply{.then = ending::hang};
    });
    return abort_each(bench, bench.request_to(server.port()), "while it waits for the head", [&](int times) { return requests >= times; });
}

std::string abort_body(const transport_bench& bench) {
    std::atomic<int> requests = 0;
    const loopback_server server([&](const loopback_request&) {
        ++requests;
        return loopback_reply{.bytes = http_head(200, {{"Content-Length", "100"}}) + "a part", .then = ending::hang};
    });
    return abort_each(bench, bench.request_to(server.port()), "while it reads the body", [&](int times) { return requests >= times; });
}

std::string deadline(const transport_bench& bench) {
    const any_http_transport transport = bench.make();
    const deaf_listener deaf;
    const raw_listener silent(1, behaviour::hangs);
    const loopback_server hanging([](const loopback_request& request) {
        return loopback_reply{.bytes = request.target == "/body" ? http_head(200, {{"Content-Length", "100"}}) + "a part" : "",
                              .then = ending::hang};
    });
    http_request handshake = bench.request_to(silent.port());
    handshake.url = tls_url(silent);
    const std::pair<http_request, const char*> states[] = {{bench.request_to(deaf.port()), "while it connects"},
                                                           {handshake, "in the TLS handshake"},
                                                           {bench.request_to(hanging.port(), "/head"), "while it waits for the head"},
                                                           {bench.request_to(hanging.port(), "/body"), "while it reads the body"}};
    for (const auto& [request, state] : states) {
        for (const exchange_form form : both_forms) {
            if (std::string wrong = bench.objection_to_deadline(transport, request, form, state); !wrong.empty()) {
                return wrong;
            }
        }
    }
    return {};
}

std::string deadline_of_drips(const transport_bench& bench) {
    constexpr std::size_t endless = 10'000;
    const loopback_server dripping([](const loopback_request& request) {
        const bool body = request.target == "/body";
        loopback_reply reply = {.bytes = "HTTP/1.1 200 OK\r\n"};
        if (body) {
            reply.bytes += "Content-Length: " + std::to_string(endless) + "\r\n\r\n";
        }
        for (std::size_t i = 0; i < endless; ++i) {
            reply.rest.push_back({.bytes = body ? "." : "X: y\r\n"});
        }
        reply.pause = std::chrono::milliseconds(20);
        return reply;
    });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        for (const auto& [target, state] : {std::pair{"/head", "while the head drips"}, std::pair{"/body", "while the body drips"}}) {
            if (std::string wrong = bench.objection_to_deadline(transport, bench.request_to(dripping.port(), target), form, state);
                !wrong.empty()) {
                return wrong;
            }
        }
    }
    return {};
}

constexpr transport_check ending_checks[] = {
    {transport_promise::abort_before_start, &abort_before_start},
    {transport_promise::abort_connecting, &abort_connecting},
    {transport_promise::abort_handshake, &abort_handshake},
    {transport_promise::abort_sending, &abort_sending},
    {transport_promise::abort_head, &abort_head},
    {transport_promise::abort_body, &abort_body},
    {transport_promise::deadline, &deadline},
    {transport_promise::deadline_of_drips, &deadline_of_drips},
};

}  // namespace

std::span<const transport_check> checks_of_endings() noexcept {
    return ending_checks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
