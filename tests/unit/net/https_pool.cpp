/// Connections of the event-driven transport: limits, addresses, TLS, many at once.
#include "net/transport_core.hpp"

#include "testing/emulation/loopback_server.hpp"

#include "async_bench.hpp"
#include "catch.hpp"
#include "crowd_server.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"
#include "tls_server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <future>

namespace ai = pyaichat;
namespace net = pyaichat::net;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

fake::loopback_reply ok() {
    return {.bytes = fake::http_message(200, {}, "x")};
}

/// A request by name, for addresses that the test chooses.
ai::http_request named_request(int port) {
    ai::http_request request = request_for_port(port);
    request.url = "https://service.test:" + std::to_string(port) + "/";
    return request;
}

net::transport_core::parts with_addresses(const tls_server& server, net::host_addresses addresses) {
    net::transport_core::parts parts;
    parts.options.ca_file = server.ca_file();
    parts.options.proxy = "";
    parts.look_up = [addresses = std::move(addresses)](const std::string&) { return ai::result<net::host_addresses>(addresses); };
    return parts;
}

}  // namespace

TEST_CASE("requests beyond the limit for a service wait for a free connection, and others do not") {
    std::atomic<int> open = 0;
    std::atomic<int> most = 0;
    const auto count = [&](const fake::loopback_request&) {
        most = std::max(most.load(), ++open);
        for (int i = 0; i < 1000; ++i) {
            std::this_thread::yield();
        }
        --open;
        return ok();
    };
    fake::loopback_server limited(count);
    net::https_transport transport({.max_connections_per_origin = 2});
    std::vector<std::shared_ptr<exchange_outcome>> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(begin_exchange(transport, request_for_port(limited.port())));
    }
    for (const auto& outcome : all) {
        REQUIRE(outcome->wait());
        CHECK(outcome->ok());
    }
    CHECK(most <= 2);
    CHECK(limited.connections() == 2);
}

TEST_CASE("a request that waits for a free connection gets one when the connection of another breaks") {
    raw_server breaks([](int descriptor) { static_cast<void>(read_head(descriptor)); });
    net::https_transport transport({.max_connections_per_origin = 1});
    std::vector<std::shared_ptr<exchange_outcome>> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(begin_exchange(transport, request_for_port(breaks.port())));
    }
    for (const auto& outcome : all) {
        REQUIRE(outcome->wait());
        CHECK(outcome->code() == ai::errc::connection_failed);
    }
    CHECK(breaks.connections() == 5);
}

TEST_CASE("no more connections are kept than the options say") {
    std::atomic<int> arrived = 0;
    fake::loopback_server server([&](const fake::loopback_request&) {
        ++arrived;
        for (const auto until = steady_clock::now() + 5s; arrived < 4 && steady_clock::now() < until;) {
            std::this_thread::yield();
        }
        return ok();
    });
    net::https_transport transport({.max_idle_per_origin = 1});
    std::vector<std::shared_ptr<exchange_outcome>> all;
    for (int i = 0; i < 4; ++i) {
        all.push_back(begin_exchange(transport, request_for_port(server.port())));
    }
    for (const auto& outcome : all) {
        REQUIRE(outcome->wait());
    }
    CHECK(settles([&] { return server.open_connections() == 1; }));
}

TEST_CASE("two thousand exchanges are in flight on one thread, and all finish") {
    const auto poller = GENERATE(net::poller_kind::best, net::poller_kind::portable);
    constexpr std::size_t count = 2'000;
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 3 * count);
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 3 * count) {
        WARN("SKIPPED: the system allows too few descriptors");
        return;
    }
    const auto before = count_process();
    {
        crowd_server server("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
        net::transport_core transport({.options = {.max_connections_per_origin = count}, .poller = poller});
        std::vector<std::shared_ptr<exchange_outcome>> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(begin_exchange(transport, request_for_port(server.port(), 60s)));
        }
        REQUIRE(settles([&] { return server.waiting() == count; }));
        CHECK(count_process().threads <= before.threads + 2);  // the server's and the transport's
        server.answer();
        std::size_t fine = 0;
        for (const auto& outcome : all) {
            fine += outcome->wait() && outcome->ok() ? 1 : 0;
        }
        CHECK(fine == count);
    }
    CHECK(settles([&] { return count_process().threads <= before.threads && count_process().descriptors <= before.descriptors; }));
}

TEST_CASE("an address that does not answer delays a connection by its head start only") {
    tls_server server({.names = "DNS:service.test"});
    const deaf_listener deaf("127.0.0.2", server.port());
    net::transport_core transport(with_addresses(server, {"127.0.0.2", "127.0.0.1"}));
    const auto begin = steady_clock::now();
    const auto response = transport.perform(named_request(server.port()), nullptr, {});
    const auto took = steady_clock::now() - begin;
    REQUIRE(response);
    CHECK(took >= net::connect_race::head_start);
    CHECK(took < net::connect_race::head_start + 1s);
}

TEST_CASE("an address that refuses does not delay a connection, and if all refuse the last is named") {
    tls_server server({.names = "DNS:service.test"});
    const bool reachable = GENERATE(true, false);
    auto best = steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) {  // the machine may be busy
        net::transport_core transport(with_addresses(
            server, reachable ? net::host_addresses{"127.0.0.3", "127.0.0.1"} : net::host_addresses{"127.0.0.3", "127.0.0.4"}));
        const auto begin = steady_clock::now();
        const auto response = transport.perform(named_request(server.port()), nullptr, {});
        best = std::min(best, steady_clock::now() - begin);
        REQUIRE(response.has_value() == reachable);
        if (!response) {
            const std::string port = std::to_string(server.port());
            CHECK(response.error().code == ai::errc::connection_failed);
            CHECK(response.error().message == "could not connect to service.test:" + port + " at 127.0.0.4 (connection refused)");
        }
    }
    CHECK(best < net::connect_race::head_start);
}

TEST_CASE("a name that is not found fails with the words of the lookup, and requests at the same time share one") {
    std::promise<void> gate;
    std::atomic<int> lookups = 0;
    net::transport_core::parts parts;
    tls_server server;
    parts.options.ca_file = server.ca_file();
    parts.options.proxy = "";
    parts.look_up = [&, open = std::shared_future<void>(gate.get_future())](const std::string& host) -> ai::result<net::host_addresses> {
        ++lookups;
        open.wait();
        return ai::failure{.code = ai::errc::connection_failed, .message = "no " + host};
    };
    net::transport_core transport(parts);
    const auto before = count_process();
    std::vector<std::shared_ptr<exchange_outcome>> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(begin_exchange(transport, named_request(server.port())));
    }
    CHECK(settles([&] { return lookups == 1; }));
    CHECK(settles([&] { return count_process().threads <= before.threads + 2; }));  // the transport's, and one lookup
    gate.set_value();
    for (const auto& outcome : all) {
        REQUIRE(outcome->wait());
        CHECK((*outcome->response).error().message == "no service.test");
    }
    CHECK(lookups == 1);
    const auto again = begin_exchange(transport, named_request(server.port()));
    REQUIRE(again->wait());
    CHECK(lookups == 2);
}

TEST_CASE("a further TLS connection resumes the session of an earlier one") {
    tls_server server;
    net::https_transport transport({.ca_file = server.ca_file(), .max_idle_per_origin = 1});
    ai::http_request request = request_for_port(server.port());
    request.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/";
    REQUIRE(transport.send(request, {}));
    CHECK(server.resumed() == 0);
    server.drop_connections();
    REQUIRE(transport.send(request, {}));
    CHECK(server.connections() == 2);
    CHECK(server.resumed() == 1);
}

TEST_CASE("exchanges over TLS finish on a loop, at the same time and one after another") {
    tls_server server;
    const auto poller = GENERATE(net::poller_kind::best, net::poller_kind::portable);
    net::transport_core transport({.options = {.ca_file = server.ca_file()}, .poller = poller});
    ai::http_request request = request_for_port(server.port());
    request.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/";
    for (int round = 0; round < 2; ++round) {
        std::vector<std::shared_ptr<exchange_outcome>> all;
        for (int i = 0; i < 8; ++i) {
            all.push_back(begin_exchange(transport, request));
        }
        for (const auto& outcome : all) {
            REQUIRE(outcome->wait());
            REQUIRE(outcome->ok());
            CHECK((*outcome->response)->body == "secret");
        }
    }
    CHECK(server.connections() <= 16);
}

TEST_CASE("a body that the socket does not take at once is sent whole, plain and over TLS") {
    const std::size_t size = 3'000'001;
    const bool tls = GENERATE(false, true);
    std::promise<std::size_t> seen;
    if (tls) {
        tls_server server;
        net::https_transport transport({.ca_file = server.ca_file()});
        ai::http_request request = request_for_port(server.port());
        request.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/";
        request.body.assign(size, 'x');
        CHECK(transport.send(request, {}));
        CHECK(server.received() >= size);
        return;
    }
    fake::loopback_server server([&](const fake::loopback_request& request) {
        seen.set_value(request.body.size());
        return ok();
    });
    net::https_transport transport;
    ai::http_request request = request_for_port(server.port());
    request.body.assign(size, 'x');
    CHECK(transport.send(request, {}));
    CHECK(seen.get_future().get() == size);
}
