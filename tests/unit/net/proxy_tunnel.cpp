#include "net/proxy_tunnel.hpp"

#include "catch.hpp"

#include <string>
#include <utility>

namespace ai = pyaichat;
namespace net = pyaichat::net;

namespace proxy_tunnel_tests {
using state = net::proxy_tunnel::state;

namespace {

net::proxy_tunnel tunnel_to(const char* target, const char* credentials = "") {
    return {{"proxy", 1, credentials}, *net::parse_url(target)};
}

}  // namespace

TEST_CASE("a tunnel is asked for by name, with credentials when there are any") {
    net::proxy_tunnel tunnel = tunnel_to("https://service.test");
    CHECK(tunnel.request() == "CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n");
    CHECK(tunnel.take("HTTP/1.1 200 Connection") == state::unfinished);
    CHECK(tunnel.take(" established\r\nVia: x\r\n\r\n") == state::open);
    // The test vectors of RFC 4648, section 10, behind the colon's three forms of padding.
    for (const auto& [credentials, encoded] :
         {std::pair<const char*, const char*>{"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
        net::proxy_tunnel one = tunnel_to("https://[::1]:8443", credentials);
        CHECK(one.request() ==
              "CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\nProxy-Authorization: Basic " + std::string(encoded) + "\r\n\r\n");
        CHECK(one.take("HTTP/1.0 200 OK\r\n\r\n") == state::open);
    }
}

TEST_CASE("a proxy that makes no tunnel says why, without the password") {
    using ai::errc;
    const auto& [answer, why, code, ended] = GENERATE(table<std::string, std::string, errc, state>({
        {"HTTP/1.1 403 Forbidden\r\n\r\n", "it refused with status 403", errc::unreachable, state::refused},
        {"HTTP/1.1 502 Bad\r\n\r\n", "it refused with status 502", errc::connection_failed, state::refused},
        {"HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic\r\n\r\n", "it refused the name and the password", errc::unreachable,
         state::refused},
        {"HTTP/1.1 200 OK\r\n\r\nstray", "its response is not valid", errc::connection_failed, state::refused},
        {"SSH-2.0\r\n", "its response is not valid", errc::connection_failed, state::refused},
        {"HTTP/1.1 200 ", "it closed the connection", errc::connection_failed, state::unfinished},
    }));
    net::proxy_tunnel tunnel = tunnel_to("https://service.test", "name:secret");
    CHECK(tunnel.take(answer) == ended);
    const ai::failure failed = tunnel.why();
    CHECK(failed.code == code);
    CHECK(failed.hint == "The service could not be reached (the proxy proxy:1: " + why + ").");
    CHECK(failed.message.find("secret") == std::string::npos);
}

}  // namespace proxy_tunnel_tests
