#include <pyaichat/net/https.hpp>

#include "testing/emulation/loopback_server.hpp"

#include "catch.hpp"
#include "process_counts.hpp"
#include "tls_server.hpp"

#include <openssl/ssl.h>

#include <algorithm>
#include <future>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace https_tls_tests {
using std::chrono::steady_clock;

namespace {

ai::http_request request_to(int port, const char* host = "127.0.0.1") {
    ai::http_request request;
    request.url = "https://" + std::string(host) + ":" + std::to_string(port) + "/";
    request.body = "hello";
    request.timeout = 10s;
    return request;
}

}  // namespace

TEST_CASE("a certificate that nobody vouches for is refused") {
    tls_server server;
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::unreachable);
    CHECK(response.error().hint.find("certificate was refused") != std::string::npos);
}

TEST_CASE("a certificate of the CA file is accepted, and the connection is kept") {
    tls_server server;
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    for (int i = 0; i < 3; ++i) {
        const auto response = transport.send(request_to(server.port()), {});
        REQUIRE(response);
        CHECK(response->body == "secret");
    }
    CHECK(server.connections() == 1);
    CHECK(transport.send(request_to(server.port(), "localhost"), {}));
}

TEST_CASE("a certificate for another host is refused") {
    tls_server server({.names = GENERATE(as<std::string>(), "DNS:other.example", "IP:127.0.0.2", "DNS:127.0.0.1.example")});
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    const std::string host = GENERATE(as<std::string>(), "127.0.0.1", "localhost");
    const auto response = transport.send(request_to(server.port(), host.c_str()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().hint.find("certificate was refused") != std::string::npos);
}

TEST_CASE("an expired certificate is refused") {
    tls_server server({.expired = true});
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().message.find("expired") != std::string::npos);
}

TEST_CASE("a server that speaks TLS 1.1 at best is refused") {
    tls_server server({.highest_version = TLS1_1_VERSION});
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::unreachable);
}

TEST_CASE("a CA file that is none is a failure that names it") {
    tls_server server;
    ai::net::https_transport transport({.ca_file = "/dev/null/ca.pem"});
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::unreachable);
    CHECK(response.error().hint.find("in the CA file /dev/null/ca.pem could not be read") != std::string::npos);
}

TEST_CASE("a server that demands a certificate of the client says so") {
    const int version = GENERATE(TLS1_2_VERSION, TLS1_3_VERSION);
    tls_server server({.highest_version = version, .demands_certificate = true});
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CAPTURE(version, response.error().message);
    CHECK(response.error().code == ai::errc::unreachable);
    CHECK(response.error().message.find(version == TLS1_3_VERSION ? "certificate required" : "handshake failure") != std::string::npos);
}

TEST_CASE("a TLS connection that is cut without farewell is half a reply") {
    tls_server server({.cut_after = GENERATE(std::size_t{20}, std::size_t{41})});
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
}

TEST_CASE("a server that is no TLS server is a failed connection") {
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "plain")}; });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.timeout = 200ms;
    CHECK_FALSE(transport.send(request, {}));
}

TEST_CASE("a TLS handshake that hangs is left within 50 ms of a cancel, and by its time limit") {
    // The server waits for the end of an HTTP head, which a handshake does not have.
    fake::loopback_server server([](const fake::loopback_request&) { return fake::loopback_reply{}; });
    const auto before = count_process();
    {
        ai::net::https_transport transport;
        auto request = request_to(server.port());
        auto best = steady_clock::duration::max();
        for (int i = 0; i < 10; ++i) {
            ai::cancel_source stop;
            auto sent = std::async(std::launch::async, [&] { return transport.send(request, stop.get_token()); });
            REQUIRE(settles([&] { return server.connections() == i + 1; }));
            const auto tripped = steady_clock::now();
            stop.request_stop();
            const auto response = sent.get();
            best = std::min(best, steady_clock::now() - tripped);
            CHECK(steady_clock::now() - tripped < 500ms);  // the machine may be busy
            REQUIRE_FALSE(response);
            CHECK(response.error().code == ai::errc::cancelled);
        }
        CHECK(best < 50ms);
        request.timeout = 200ms;
        const auto begin = steady_clock::now();
        const auto response = transport.send(request, {});
        CHECK(steady_clock::now() - begin < 700ms);
        REQUIRE_FALSE(response);
        CHECK(response.error().code == ai::errc::timeout);
    }
    CHECK(settles([&] { return count_process().threads <= before.threads + 1 && count_process().descriptors <= before.descriptors; }));
}

TEST_CASE("an idle connection whose server has gone is given up without a signal") {
    tls_server server;
    {
        ai::net::https_transport transport({.ca_file = server.ca_file()});
        REQUIRE(transport.send(request_to(server.port()), {}));
        server.drop_connections();
    }  // a farewell in TLS written here would raise SIGPIPE and end this program
    ai::net::https_transport transport({.ca_file = server.ca_file()});
    CHECK(transport.send(request_to(server.port()), {}));
    server.drop_connections();
    CHECK(transport.send(request_to(server.port()), {}));
    CHECK(server.connections() == 3);
}

}  // namespace https_tls_tests
