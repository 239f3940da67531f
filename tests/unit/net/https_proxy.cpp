#include <pyaichat/net/https.hpp>

#include "testing/emulation/loopback_server.hpp"

#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"
#include "tls_server.hpp"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using ending = fake::loopback_reply::ending;

namespace {

/// A proxy whose every tunnel leads to one port of this machine.
struct connect_proxy {
    explicit connect_proxy(int port)
        : server([this, port](int descriptor) {
              const std::string head = read_head(descriptor);
              {
                  const std::lock_guard lock(mutex);
                  heads.push_back(head);
              }
              if (write_all(descriptor, "HTTP/1.1 200 Connection established\r\n\r\n")) {
                  tunnel(descriptor, port);
              }
          }) {}

    [[nodiscard]] std::string address() const { return "http://name:secret@127.0.0.1:" + std::to_string(server.port()); }

    std::mutex mutex;
    std::vector<std::string> heads;
    raw_server server;
};

ai::http_request request_to(const std::string& url) {
    ai::http_request request;
    request.url = url;
    request.body = "hello";
    request.timeout = 10s;
    return request;
}

/// Sets an environment variable for a moment.
struct with_variable {
    with_variable(const char* variable, const std::string& value) : name(variable) { ::setenv(name, value.c_str(), 1); }
    ~with_variable() { ::unsetenv(name); }
    const char* name;
};

}  // namespace

TEST_CASE("a request goes through the proxy to a name that only the proxy can resolve, and the tunnel is kept") {
    tls_server service({.names = "DNS:service.test"});
    connect_proxy proxy(service.port());
    ai::net::https_transport transport({.ca_file = service.ca_file(), .proxy = proxy.address(), .no_proxy = ""});
    for (int i = 0; i < 3; ++i) {
        const auto response = transport.send(request_to("https://service.test/"), {});
        REQUIRE(response);
        CHECK(response->body == "secret");
    }
    REQUIRE(proxy.heads.size() == 1);
    CHECK(proxy.heads[0] ==
          "CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\nProxy-Authorization: Basic bmFtZTpzZWNyZXQ=\r\n\r\n");
}

TEST_CASE("behind a proxy the certificate is still the service's") {
    tls_server service({.names = "DNS:other.test"});
    connect_proxy proxy(service.port());
    ai::net::https_transport transport({.ca_file = service.ca_file(), .proxy = proxy.address(), .no_proxy = ""});
    const auto response = transport.send(request_to("https://service.test/"), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().hint.find("certificate was refused") != std::string::npos);
}

TEST_CASE("the proxy and its exceptions come from the environment when nothing else is said") {
    tls_server service;
    connect_proxy proxy(service.port());
    const std::string url = "https://localhost:" + std::to_string(service.port()) + "/";
    const with_variable through(GENERATE("HTTPS_PROXY", "https_proxy"), proxy.address());
    {
        ai::net::https_transport transport({.ca_file = service.ca_file()});
        REQUIRE(transport.send(request_to(url), {}));
        CHECK(proxy.server.connections() == 1);
    }
    {
        const with_variable except(GENERATE("NO_PROXY", "no_proxy"), "localhost");
        ai::net::https_transport transport({.ca_file = service.ca_file()});
        REQUIRE(transport.send(request_to(url), {}));
        CHECK(proxy.server.connections() == 1);
    }
    ai::net::https_transport transport({.ca_file = service.ca_file(), .proxy = ""});
    REQUIRE(transport.send(request_to(url), {}));
    CHECK(proxy.server.connections() == 1);
}

TEST_CASE("what is sent in the clear never goes to a proxy") {
    fake::loopback_server server(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = fake::http_message(200, {}, "x")}; });
    raw_server proxy([](int descriptor) { static_cast<void>(read_head(descriptor)); });
    const std::string address = "http://127.0.0.1:" + std::to_string(proxy.port());
    const with_variable plain("HTTP_PROXY", address);
    ai::net::https_transport transport({.proxy = address, .no_proxy = ""});
    CHECK(transport.send(request_to("http://127.0.0.1:" + std::to_string(server.port()) + "/"), {}));
    CHECK(proxy.connections() == 0);
}

TEST_CASE("a proxy that is gone, refuses or talks nonsense is named, and its password is not") {
    const auto& [answer, part, code] = GENERATE(table<std::string, std::string, ai::errc>({
        {"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "status 403", ai::errc::unreachable},
        {"HTTP/1.1 407 Authenticate\r\nContent-Length: 0\r\n\r\n", "refused the name and the password", ai::errc::unreachable},
        {"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", "status 502", ai::errc::connection_failed},
        {"HTTP/1.1 200 " + std::string(100'000, 'x') + "\r\n\r\n", "its response is not valid", ai::errc::connection_failed},
        {"", "closed the connection", ai::errc::connection_failed},
    }));
    fake::loopback_server proxy(
        [&bytes = answer](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = bytes, .then = ending::close}; });
    ai::net::https_transport transport({.proxy = "name:secret@127.0.0.1:" + std::to_string(proxy.port()), .no_proxy = ""});
    const auto response = transport.send(request_to("https://service.test/"), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == code);
    CHECK(response.error().hint.find("the proxy 127.0.0.1:") != std::string::npos);
    CHECK(response.error().hint.find(part) != std::string::npos);
    CHECK((response.error().hint + response.error().message).find("secret") == std::string::npos);
}

TEST_CASE("a proxy that cannot be used is a failure that says how to write one") {
    ai::net::https_transport transport({.proxy = "socks5://127.0.0.1:1", .no_proxy = ""});
    const auto response = transport.send(request_to("https://service.test/"), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::invalid_argument);
    CHECK(response.error().hint.find("http://host:port") != std::string::npos);
}

TEST_CASE("a proxy that hangs is left at a cancel and at the time limit") {
    fake::loopback_server proxy(
        [](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = "HTTP/1.1 200 ", .then = ending::hang}; });
    ai::net::https_transport transport({.proxy = "127.0.0.1:" + std::to_string(proxy.port()), .no_proxy = ""});
    auto request = request_to("https://service.test/");
    auto best = steady_clock::duration::max();
    for (int i = 1; i <= 3; ++i) {
        ai::cancel_source stop;
        auto sent = std::async(std::launch::async, [&] { return transport.send(request, stop.get_token()); });
        REQUIRE(settles([&] { return proxy.connections() == i; }));
        const auto tripped = steady_clock::now();
        stop.request_stop();
        const auto response = sent.get();
        best = std::min(best, steady_clock::now() - tripped);
        REQUIRE_FALSE(response);
        CHECK(response.error().code == ai::errc::cancelled);
    }
    CHECK(best < 50ms);
    request.timeout = 50ms;
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::timeout);
    CHECK(settles([&] { return proxy.open_connections() == 0; }));
}
