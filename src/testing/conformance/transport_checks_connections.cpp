/// Checks of kept connections, repetitions and concurrency.
#include "testing/conformance/transport_bench.hpp"

#include <atomic>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using ending = loopback_reply::ending;

http_request post_to(const transport_bench& bench, const loopback_server& server, std::string body) {
    http_request request = bench.request_to(server.port());
    request.method = "POST";
    request.body = std::move(body);
    return request;
}

std::string keeps_connections(const transport_bench& bench) {
    const loopback_server server([](const loopback_request&) { return loopback_reply{.bytes = http_message(200, {}, "ok")}; });
    const any_http_transport transport = bench.make();
    constexpr int exchanges = 6;
    for (int i = 0; i < exchanges; ++i) {
        std::string wrong;
        const result<http_response> outcome =
            bench.perform(transport, post_to(bench, server, "same"), i % 2 == 0 ? exchange_form::send : exchange_form::stream, wrong);
        if (!outcome) {
            return wrong.empty() ? described(outcome) : wrong;
        }
    }
    return server.connections() == 1 ? std::string()
                                     : std::to_string(exchanges) + " requests, one after the other, took " +
                                           std::to_string(server.connections()) + " connections";
}

std::string closed_connections(const transport_bench& bench) {
    for (const ending then : {ending::close, ending::reset}) {
        const loopback_server server(
            [then](const loopback_request&) { return loopback_reply{.bytes = http_message(200, {}, "ok"), .then = then}; });
        const any_http_transport transport = bench.make();
        for (int i = 0; i < 3; ++i) {
            std::string wrong;
            const result<http_response> outcome = bench.perform(transport, post_to(bench, server, "same"), exchange_form::send, wrong);
            if (!outcome) {
                return wrong.empty() ? "request " + std::to_string(i + 1) + ": " + described(outcome) : wrong;
            }
            if (!holds_within(bench.patience(), [&] { return server.open_connections() == 0; })) {
                return "the connection of the server did not end";
            }
        }
    }
    return {};
}

/// Breaks the second request of its first connection as `second` says, and serves all others. Counts the requests with a certain body.
class breaking_server {
public:
    explicit breaking_server(loopback_reply second)
        : server_([this, second = std::move(second)](const loopback_request& request) {
              counted_ += request.body == "counted" ? 1 : 0;
              return request.connection == 1 && ++on_first_ == 2 ? second : loopback_reply{.bytes = http_message(200, {}, "ok")};
          }) {}

    [[nodiscard]] const loopback_server& server() const noexcept { return server_; }
    [[nodiscard]] int counted() const noexcept { return counted_; }
    /// Returns whether the client has used the first connection again, so that it could be broken.
    [[nodiscard]] bool broke() const noexcept { return on_first_ >= 2; }

private:
    std::atomic<int> on_first_ = 0;
    std::atomic<int> counted_ = 0;
    loopback_server server_;  // last: its threads use the others
};

/// What became of a request on a kept connection that the server broke.
struct broken_exchange {
    result<http_response> outcome = http_response{};
    std::string wrong = {};   ///< why the case could not be tested
    bool was_broken = false;  ///< false: the transport did not use the connection again
    int arrivals = 0;         ///< how often the request arrived
};

broken_exchange break_second_request(const transport_bench& bench, loopback_reply second, bool repeatable) {
    const breaking_server breaking(std::move(second));
    const any_http_transport transport = bench.make();
    broken_exchange made;
    made.outcome = bench.perform(transport, post_to(bench, breaking.server(), "first"), exchange_form::send, made.wrong);
    if (!made.outcome) {
        made.wrong = "the first request: " + described(made.outcome);
        return made;
    }
    http_request request = post_to(bench, breaking.server(), "counted");
    request.repeatable = repeatable;
    made.outcome = bench.perform(transport, request, exchange_form::send, made.wrong);
    made.was_broken = breaking.broke();
    made.arrivals = breaking.counted();
    return made;
}

std::string repeats(const transport_bench& bench) {
    for (const ending then : {ending::close, ending::reset}) {
        const broken_exchange made = break_second_request(bench, {.then = then}, true);
        if (!made.outcome || !made.wrong.empty()) {
            return made.wrong.empty() ? described(made.outcome) : made.wrong;
        }
        if (made.was_broken && made.arrivals != 2) {
            return "the server got the request " + std::to_string(made.arrivals) + " times; it breaks one connection";
        }
    }
    return {};
}

std::string never_repeats(const transport_bench& bench) {
    const std::pair<loopback_reply, bool> cases[] = {
        {{.then = ending::close}, false},
        {{.then = ending::reset}, false},
        {{.bytes = "HTTP/1.1 200 OK\r\nContent-Le", .then = ending::close}, true},
        {{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .then = ending::close}, true},
    };
    for (const auto& [second, repeatable] : cases) {
        const broken_exchange made = break_second_request(bench, second, repeatable);
        const std::string what = repeatable ? "after a part of the response: " : "a request that is not repeatable: ";
        if (!made.wrong.empty() || made.arrivals != 1) {
            return made.wrong.empty() ? what + "the server got it " + std::to_string(made.arrivals) + " times" : made.wrong;
        }
        if (made.was_broken && made.outcome) {
            return what + "it succeeded, although the server did not respond completely";
        }
    }
    return {};
}

std::string concurrent_use(const transport_bench& bench) {
    const loopback_server server(
        [](const loopback_request& request) { return loopback_reply{.bytes = http_message(200, {}, "echo of " + request.body)}; });
    const any_http_transport transport = bench.make();
    constexpr int rounds = 10;
    constexpr int at_once = 16;
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::unique_ptr<transport_exchange>> running;
        for (int i = 0; i < at_once; ++i) {
            running.push_back(std::make_unique<transport_exchange>(transport, post_to(bench, server, std::to_string(round * at_once + i)),
                                                                   i % 2 == 0 ? exchange_form::send : exchange_form::stream));
        }
        for (int i = 0; i < at_once; ++i) {
            const transport_exchange& each = *running[static_cast<std::size_t>(i)];
            if (!each.ends_within(bench.patience())) {
                return "one of " + std::to_string(at_once) + " exchanges at once did not return";
            }
            const std::string body = each.outcome() ? each.outcome()->body + each.streamed() : std::string();
            if (body != "echo of " + std::to_string(round * at_once + i)) {
                return "with " + std::to_string(at_once) + " exchanges at once, one got the response \"" + body +
                       "\": " + described(each.outcome());
            }
        }
    }
    return {};
}

constexpr transport_check connection_checks[] = {
    {transport_promise::keeps_connections, &keeps_connections},
    {transport_promise::closed_connections, &closed_connections},
    {transport_promise::repeats, &repeats},
    {transport_promise::never_repeats, &never_repeats},
    {transport_promise::concurrent_use, &concurrent_use},
};

}  // namespace

std::span<const transport_check> checks_of_connections() noexcept {
    return connection_checks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
