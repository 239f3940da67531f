/// How exchanges end that are cancelled, or whose transport is destroyed, in each of their states.
#include "net/transport_core.hpp"

#include "testing/emulation/loopback_server.hpp"

#include "async_bench.hpp"
#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"
#include "tls_server.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <optional>

namespace ai = pyaichat;
namespace net = pyaichat::net;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace https_endings_tests {
using std::chrono::steady_clock;
using ending = fake::loopback_reply::ending;

namespace {

constexpr auto promptly = 5ms;
constexpr auto on_a_busy_machine = 500ms;

/// Peers that keep an exchange in one state.
struct stuck_peers {
    std::shared_ptr<std::promise<void>> names = std::make_shared<std::promise<void>>();
    std::shared_ptr<std::atomic<int>> lookups = std::make_shared<std::atomic<int>>(0);
    deaf_listener deaf;
    std::atomic<int> arrived = 0;
    fake::loopback_server hanging{[this](const fake::loopback_request& request) -> fake::loopback_reply {
        ++arrived;
        const std::string whole = fake::http_message(200, {}, "0123456789");
        return {.bytes = request.target == "/head"   ? whole.substr(0, 20)
                         : request.target == "/body" ? whole.substr(0, 45)
                                                     : "",
                .then = ending::hang};
    }};
    raw_server reads_nothing{[this](int descriptor) {
        ++arrived;
        pollfd end = {descriptor, POLLRDHUP, 0};
        ::poll(&end, 1, -1);
    }};
    raw_server hanging_proxy{[this](int descriptor) {
        static_cast<void>(read_head(descriptor));
        ++arrived;
        static_cast<void>(read_head(descriptor));
    }};

    tls_server certificates;  // the certificates of the system take a while to load

    ~stuck_peers() { names->set_value(); }

    [[nodiscard]] net::transport_core::parts parts(std::string_view state) {
        net::transport_core::parts out;
        out.options.proxy = state == "tunnel" ? "127.0.0.1:" + std::to_string(hanging_proxy.port()) : "";
        out.options.no_proxy = "";
        out.options.ca_file = certificates.ca_file();
        out.options.max_connections_per_origin = state == "queued" ? 1 : 8;
        out.look_up = [open = std::shared_future<void>(names->get_future()), asked = lookups](const std::string&) {
            ++*asked;
            open.wait();
            return ai::result<net::host_addresses>(net::host_addresses{"127.0.0.1"});
        };
        return out;
    }

    [[nodiscard]] ai::http_request request(std::string_view state) const {
        ai::http_request request = request_for_port(hanging.port(), 1h);
        if (state == "resolving" || state == "tunnel") {
            request.url = "https://service.test/";
        } else if (state == "connecting") {
            request.url = "http://127.0.0.1:" + std::to_string(deaf.port()) + "/";
        } else if (state == "handshake") {
            request.url = "https://127.0.0.1:" + std::to_string(reads_nothing.port()) + "/";
        } else if (state == "sending") {
            request.url = "http://127.0.0.1:" + std::to_string(reads_nothing.port()) + "/";
            request.body.assign(20'000'000, 'x');
        } else {
            request.url += state;
        }
        return request;
    }

    /// Whether an exchange in this state has reached it (`before`: `arrived` of before).
    [[nodiscard]] bool reached(std::string_view state, int before, exchange_outcome& outcome) const {
        if (state == "resolving") {
            return *lookups > 0;
        }
        if (state == "queued" || state == "connecting") {
            return outcome.requested > 0;
        }
        return arrived > before;
    }
};

const char* const states[] = {"queued", "resolving", "connecting", "tunnel", "handshake", "sending", "waiting", "head", "body"};

}  // namespace

TEST_CASE("a cancellation ends an exchange at once in every state, and leaves nothing behind") {
    const std::string state = GENERATE(from_range(std::begin(states), std::end(states)));
    const auto poller = GENERATE(net::poller_kind::best, net::poller_kind::portable);
    CAPTURE(state);
    const auto before = count_process();
    std::optional<stuck_peers> peers(std::in_place);
    {
        net::transport_core::parts parts = peers->parts(state);
        parts.poller = poller;
        net::transport_core transport(parts);
        ai::cancel_source stop_first;
        std::shared_ptr<exchange_outcome> first;
        if (state == "queued") {
            first = begin_exchange(transport, peers->request(state), stop_first.get_token());
            REQUIRE(settles([&] { return peers->arrived == 1; }));
        }
        auto best = steady_clock::duration::max();
        for (int i = 0; i < 5; ++i) {
            const int arrived = peers->arrived;
            ai::cancel_source stop;
            const auto outcome = begin_exchange(transport, peers->request(state), stop.get_token());
            REQUIRE(settles([&] { return peers->reached(state, arrived, *outcome); }));
            const auto tripped = steady_clock::now();
            stop.request_stop();
            REQUIRE(outcome->wait());
            CHECK(outcome->code() == ai::errc::cancelled);
            CHECK(settles([&] { return outcome->destroyed.load(); }));
            CHECK(outcome->finished_at - tripped < on_a_busy_machine);
            best = std::min(best, outcome->finished_at - tripped);
        }
        CHECK(best < promptly);
        stop_first.request_stop();
        CHECK((first == nullptr || first->wait()));
    }
    peers.reset();
    CHECK(settles([&] { return count_process().threads <= before.threads && count_process().descriptors <= before.descriptors; }));
}

TEST_CASE("the deadline ends an exchange in every state, and says what it waited for") {
    const std::string state = GENERATE(from_range(std::begin(states), std::end(states)));
    CAPTURE(state);
    stuck_peers peers;
    net::transport_core transport(peers.parts(state));
    ai::cancel_source stop;
    if (state == "queued") {
        begin_exchange(transport, peers.request(state), stop.get_token());
    }
    auto request = peers.request(state);
    request.timeout = 60ms;
    const auto begin = steady_clock::now();
    const auto outcome = begin_exchange(transport, request);
    REQUIRE(outcome->wait());
    CHECK(outcome->code() == ai::errc::timeout);
    CHECK(outcome->finished_at - begin >= 60ms);
    CHECK(outcome->finished_at - begin < 60ms + on_a_busy_machine);
    const ai::failure why = (*outcome->response).error();
    if (state == "queued") {
        CHECK(why.message ==
              "waited 60 ms for a free connection to http://127.0.0.1:" + std::to_string(peers.hanging.port()) + ": 1 is in use");
        CHECK(why.hint.find("max_connections_per_origin") != std::string::npos);
    } else if (state == "resolving") {
        CHECK(why.message == "the name service.test was not resolved in time");
    } else {
        CHECK(why.hint == "The service did not answer in time.");
    }
}

TEST_CASE("a transport that is destroyed finishes its exchanges in every state, and leaves nothing behind") {
    const std::string state = GENERATE(from_range(std::begin(states), std::end(states)));
    CAPTURE(state);
    const auto before = count_process();
    std::optional<stuck_peers> peers(std::in_place);
    std::vector<std::shared_ptr<exchange_outcome>> all;
    steady_clock::duration took = {};
    {
        net::transport_core transport(peers->parts(state));
        const int arrived = peers->arrived;
        for (int i = 0; i < 3; ++i) {
            all.push_back(begin_exchange(transport, peers->request(state)));
        }
        REQUIRE(settles([&] { return peers->reached(state, arrived, *all.front()); }));
        took = -steady_clock::now().time_since_epoch();
    }
    took += steady_clock::now().time_since_epoch();
    CHECK(took < on_a_busy_machine);
    for (const auto& outcome : all) {
        REQUIRE(outcome->wait());
        CHECK(outcome->code() == ai::errc::cancelled);
        CHECK(settles([&] { return outcome->destroyed.load(); }));
    }
    peers.reset();
    CHECK(settles([&] { return count_process().threads <= before.threads && count_process().descriptors <= before.descriptors; }));
}

TEST_CASE("an exchange that was cancelled before it began makes no request") {
    stuck_peers peers;
    net::transport_core transport(peers.parts("body"));
    ai::cancel_source stop;
    stop.request_stop();
    const auto outcome = begin_exchange(transport, peers.request("body"), stop.get_token());
    REQUIRE(outcome->wait());
    CHECK(outcome->code() == ai::errc::cancelled);
    CHECK(outcome->requested == 0);
    CHECK(peers.arrived == 0);
}

TEST_CASE("the last handle may be dropped by an exchange, in each of its members, or by its destructor") {
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "x")}; });
    const std::string where = GENERATE(as<std::string>(), "request", "take", "finish", "destructor");
    const bool own_thread = GENERATE(true, false);
    CAPTURE(where, own_thread);
    const auto before = count_process();
    auto handle = std::make_shared<std::optional<net::https_transport>>(std::in_place, net::https_options{.own_thread = own_thread});
    const auto loop = (*handle)->loop();
    const auto drop = [handle] { handle->reset(); };
    net::https_transport transport = **handle;
    const auto outcome = begin_exchange(transport, request_for_port(server.port()), {}, [&](test_exchange& one) {
        one.streamed = true;
        if (where == "request") {
            one.on_request = drop;
        } else if (where == "take") {
            one.on_piece = [drop](std::string_view) {
                drop();
                return true;
            };
        } else if (where == "finish") {
            one.on_finish = drop;
        } else {
            one.on_finish = [kept = **handle] { static_cast<void>(kept); };
            drop();
        }
    });
    if (own_thread) {
        {
            const net::https_transport dropped = std::move(transport);
        }
        REQUIRE(outcome->wait());
    } else {
        // Polled by the copy, so the last handle goes when the poll has returned.
        REQUIRE(settles([&] {
            transport.poll(1ms);
            return outcome->done();
        }));
        {
            const net::https_transport dropped = std::move(transport);
        }
    }
    CHECK(settles([&] { return outcome->destroyed.load(); }));
    CHECK_FALSE(loop->claim());
    CHECK(settles([&] { return count_process().threads <= before.threads + 1; }));  // of the server
}

TEST_CASE("a transport without a thread may be destroyed by an exchange while it is polled") {
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "x")}; });
    auto transport = std::make_unique<net::https_transport>(net::https_options{.own_thread = false});
    const auto other = begin_exchange(*transport, request_for_port(server.port()));
    const auto outcome = begin_exchange(*transport, request_for_port(server.port()), {},
                                        [&](test_exchange& one) { one.on_finish = [&] { transport.reset(); }; });
    REQUIRE(settles([&] {
        if (transport != nullptr) {
            transport->poll(1ms);
        }
        return transport == nullptr;
    }));
    CHECK(outcome->done());
    CHECK(other->done());
}

// The thread sanitizer ends a child process that starts threads.
#if defined(__SANITIZE_THREAD__)
    #define PYAICHAT_NO_FORK
#elif defined(__has_feature)
    #if __has_feature(thread_sanitizer)
        #define PYAICHAT_NO_FORK
    #endif
#endif
#if !defined(PYAICHAT_NO_FORK)
TEST_CASE("a child process cannot use the transport of its parent, and does not disturb it") {
    stuck_peers peers;
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "x")}; });
    auto transport = std::make_unique<net::https_transport>();
    REQUIRE(transport->send(request_for_port(server.port()), {}));
    ai::cancel_source stop;
    const auto in_flight = begin_exchange(*transport, peers.request("body"), stop.get_token());
    REQUIRE(settles([&] { return peers.arrived == 1; }));
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        bool fine = transport->send(request_for_port(server.port()), {}).error().code == ai::errc::invalid_state;
        fine = fine && !transport->loop()->claim() && !transport->loop()->run(1s);
        transport->loop()->wake();
        transport->loop()->release();
        transport->poll(1ms);
        const auto refused = begin_exchange(*transport, request_for_port(server.port()));
        fine = fine && refused->wait() && refused->code() == ai::errc::invalid_state &&
               (*refused->response).error().hint.find("child process") != std::string::npos;
        transport.reset();
        net::https_transport fresh;
        fine = fine && fresh.send(request_for_port(server.port()), {}).has_value();
        ::_exit(fine ? 0 : 1);
    }
    REQUIRE(child > 0);
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK_FALSE(in_flight->done());
    CHECK(peers.hanging.open_connections() == 1);
    CHECK(transport->send(request_for_port(server.port()), {}));
    CHECK(server.connections() == 2);  // the parent's is still open and used again
    stop.request_stop();
    REQUIRE(in_flight->wait());
    CHECK(in_flight->code() == ai::errc::cancelled);
}
#endif

}  // namespace https_endings_tests
