/// Many threads that use one transport in every way at the same time.
#include "net/transport_core.hpp"

#include "testing/emulation/loopback_server.hpp"

#include "async_bench.hpp"
#include "catch.hpp"
#include "process_counts.hpp"

#include <future>
#include <optional>
#include <random>
#include <vector>

namespace ai = pyaichat;
namespace net = pyaichat::net;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

/// One of the ways to make a request; false if it ends in a way that it must not.
bool use_once(net::transport_core& transport, int port, std::mt19937& random) {
    auto request = request_for_port(port);
    request.repeatable = true;
    ai::cancel_source stop;
    switch (random() % 6) {
        case 0: return transport.perform(request, nullptr, {}).has_value();
        case 1: {
            std::string got;
            const ai::http_body_sink sink = [&](std::string_view piece) {
                got += piece;
                return true;
            };
            return transport.perform(request, &sink, {}).has_value() && got == "0123456789";
        }
        case 2: {
            const auto outcome = begin_exchange(transport, request);
            return outcome->wait() && outcome->ok();
        }
        case 3: {
            const auto outcome = begin_exchange(transport, request, stop.get_token());
            stop.request_stop();
            return outcome->wait() && (outcome->ok() || outcome->code() == ai::errc::cancelled);
        }
        case 4: {
            request.timeout = std::chrono::microseconds(random() % 500);
            const auto response = transport.perform(request, nullptr, {});
            return response || response.error().code == ai::errc::timeout;
        }
        default: {
            const auto loop = transport.loop();
            bool claimed = loop->claim();
            const auto outcome =
                begin_exchange(transport, request, {}, [&](test_exchange& one) { one.on_finish = [loop] { loop->wake(); }; });
            while (claimed && !outcome->done()) {
                claimed = loop->run(1s);
            }
            loop->release();
            return outcome->wait() && outcome->ok();
        }
    }
}

}  // namespace

TEST_CASE("threads that send, stream, start, cancel and claim at the same time all get their results") {
    const bool own_thread = GENERATE(true, false);
    const auto poller = GENERATE(net::poller_kind::best, net::poller_kind::portable);
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "0123456789")}; });
    const auto before = count_process();
    std::optional<net::transport_core> transport;
    transport.emplace(net::transport_core::parts{
        .options = {.max_connections_per_origin = 4, .own_thread = own_thread}, .poller = poller, .thread_idle = 1ms});
    std::atomic<bool> ended = false;
    // Without a thread of its own, somebody has to drive what is started.
    auto driver = std::async(std::launch::async, [&] {
        while (!ended) {
            transport->poll(1ms);
            std::this_thread::yield();
        }
    });
    std::vector<std::future<int>> threads;
    for (unsigned seed = 0; seed < 6; ++seed) {
        threads.push_back(std::async(std::launch::async, [&, seed] {
            std::mt19937 random(seed);
            int wrong = 0;
            for (int i = 0; i < 100; ++i) {
                wrong += use_once(*transport, server.port(), random) ? 0 : 1;
            }
            return wrong;
        }));
    }
    for (auto& one : threads) {
        CHECK(one.get() == 0);
    }
    ended = true;
    driver.get();
    transport.reset();
    CHECK(settles([&] { return server.open_connections() == 0; }));
    CHECK(settles([&] { return count_process().descriptors <= before.descriptors; }));
}
