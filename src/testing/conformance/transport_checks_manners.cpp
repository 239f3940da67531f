/// Checks of what a transport does to the process.
#include "testing/conformance/process_state.hpp"
#include "testing/conformance/raw_listener.hpp"
#include "testing/conformance/transport_bench.hpp"

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using ending = loopback_reply::ending;

std::string no_signals(const transport_bench& bench) {
    const pipe_signal_counter counter;
    std::atomic<bool> undisturbed = true;
    const loopback_server server([&](const loopback_request&) {
        undisturbed = undisturbed && counter.undisturbed();  // during the exchange
        return loopback_reply{.bytes = http_message(200, {}, "ok")};
    });
    const raw_listener breaking(1, raw_listener::behaviour::breaks_writes);
    const any_http_transport transport = bench.make();
    http_request upload = bench.request_to(breaking.port());
    upload.method = "POST";
    upload.body.assign(std::size_t{4} << 20, ' ');
    constexpr int uploads = 5;
    for (int i = 0; i < uploads; ++i) {
        for (const http_request& request : {bench.request_to(server.port()), upload}) {
            const transport_exchange exchange(transport, request, exchange_form::send);
            if (!exchange.ends_within(bench.patience())) {
                return "it did not return after the server had closed the connection";
            }
            if (exchange.changed_mask()) {
                return "it changed the signal mask of the calling thread";
            }
        }
    }
    if (counter.count() != 0) {
        return "it raised SIGPIPE when the server closed the connection during the request";
    }
    return undisturbed && counter.undisturbed() ? std::string() : "it changed the disposition of a signal";
}

std::string nothing_left(const transport_bench& bench) {
    const std::optional<process_holdings> before = count_holdings();
    if (!before) {
        bench.note("threads and descriptors cannot be counted on this system");
        return {};
    }
    {
        const loopback_server server([](const loopback_request& request) {
            return loopback_reply{.bytes = request.target == "/hang" ? "" : http_message(200, {}, "ok"),
                                  .then = request.target == "/hang" ? ending::hang : ending::keep};
        });
        const raw_listener silent(1, raw_listener::behaviour::hangs);
        http_request handshake = bench.request_to(silent.port());
        handshake.url.replace(0, 4, "https");
        const any_http_transport transport = bench.make();
        for (const http_request& request : {bench.request_to(server.port()), bench.request_to(server.port(), "/hang"), handshake}) {
            std::vector<std::unique_ptr<transport_exchange>> running;
            for (int i = 0; i < 4; ++i) {
                running.push_back(std::make_unique<transport_exchange>(transport, request, exchange_form::send));
            }
            for (const auto& each : running) {
                if (!each->ends_within(std::chrono::milliseconds(50))) {
                    each->cancel();
                }
                if (!each->ends_within(bench.patience())) {
                    return "an exchange did not return";
                }
            }
        }
    }
    process_holdings now = *before;
    const bool released = holds_within(bench.patience(), [&] {
        now = count_holdings().value_or(*before);
        return now.threads <= before->threads && now.descriptors <= before->descriptors;
    });
    return released ? std::string()
                    : "after its destruction, there are " + std::to_string(now.threads - before->threads) + " threads and " +
                          std::to_string(now.descriptors - before->descriptors) + " descriptors more than before";
}

constexpr transport_check manner_checks[] = {
    {transport_promise::no_signals, &no_signals},
    {transport_promise::nothing_left, &nothing_left},
};

}  // namespace

std::span<const transport_check> checks_of_manners() noexcept {
    return manner_checks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
