#include "net/proxy.hpp"

#include "catch.hpp"

#include <deque>
#include <string>

namespace ai = pyaichat;
namespace net = pyaichat::net;

namespace {

/// A peer whose answer is written down.
struct scripted_stream final : net::byte_stream {
    std::deque<std::string> pieces = {};
    std::string sent = {};

    std::ptrdiff_t receive(char* to, std::size_t size) override {
        if (pieces.empty()) {
            return 0;
        }
        const std::size_t count = pieces.front().copy(to, size);
        pieces.pop_front();
        return static_cast<std::ptrdiff_t>(count);
    }
    bool send(std::string_view bytes) override {
        sent += bytes;
        return true;
    }
    bool idle() override { return pieces.empty(); }
};

net::url url(std::string_view text) {
    return *net::parse_url(text);
}

bool direct(std::string_view target, std::string_view list) {
    return net::bypasses_proxy(url(target), list);
}

}  // namespace

TEST_CASE("a proxy is host and port, with or without a scheme and a name") {
    const auto bare = net::parse_proxy("Proxy.example:3128");
    REQUIRE(bare);
    CHECK(bare->host == "proxy.example");
    CHECK(bare->port == 3128);
    CHECK(bare->credentials.empty());
    const auto full = net::parse_proxy("HTTP://me%40home:p%3Aw@d@[::1]/ignored");
    REQUIRE(full);
    CHECK(full->host == "::1");
    CHECK(full->port == 80);
    CHECK(full->credentials == "me@home:p:w@d");
}

TEST_CASE("what is no proxy is refused, and its password is not repeated") {
    const std::string text =
        GENERATE(as<std::string>(), "", "https://proxy:1", "socks5://name:secret@proxy:1", "http://name:secret@", "proxy:0", "a b:80");
    CAPTURE(text);
    const auto parsed = net::parse_proxy(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == ai::errc::invalid_argument);
    CHECK(parsed.error().message.find("secret") == std::string::npos);
    CHECK_FALSE(parsed.error().hint.empty());
}

TEST_CASE("a name in NO_PROXY exempts itself and the names below it") {
    for (const char* list : {"example.org", ".example.org", "*.example.org", "other, EXAMPLE.org", "a b,example.org"}) {
        CAPTURE(list);
        CHECK(direct("https://example.org/x", list));
        CHECK(direct("https://api.example.org/x", list));
        CHECK_FALSE(direct("https://notexample.org/x", list));
        CHECK_FALSE(direct("https://example.org.evil/x", list));
    }
}

TEST_CASE("NO_PROXY knows ports, addresses, everything and nothing") {
    CHECK(direct("https://example.org:8443", "example.org:8443"));
    CHECK_FALSE(direct("https://example.org", "example.org:8443"));
    CHECK(direct("https://example.org", "example.org:443"));
    CHECK(direct("https://10.0.0.1", "10.0.0.1"));
    CHECK(direct("https://[fe80::1]", "fe80::1"));
    CHECK(direct("https://[fe80::1]:9", "[fe80::1]"));
    CHECK(direct("https://anything", "x,*"));
    CHECK_FALSE(direct("https://example.org", ""));
    CHECK_FALSE(direct("https://example.org", " , ,. *. :"));
}

TEST_CASE("a tunnel is asked for by name, with credentials when there are any") {
    scripted_stream stream;
    stream.pieces = {"HTTP/1.1 200 Connection", " established\r\nVia: x\r\n\r\n"};
    REQUIRE(net::open_tunnel(stream, {"proxy", 1, ""}, url("https://service.test")));
    CHECK(stream.sent == "CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n");
    // The test vectors of RFC 4648, section 10, behind the colon's three forms of padding.
    for (const auto& [credentials, encoded] :
         {std::pair<const char*, const char*>{"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
        scripted_stream one;
        one.pieces = {"HTTP/1.0 200 OK\r\n\r\n"};
        REQUIRE(net::open_tunnel(one, {"proxy", 1, credentials}, url("https://[::1]:8443")));
        CHECK(one.sent ==
              "CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\nProxy-Authorization: Basic " + std::string(encoded) + "\r\n\r\n");
    }
}

TEST_CASE("a proxy that makes no tunnel says why, without the password") {
    const auto& [answer, why] = GENERATE(table<std::string, std::string>({
        {"HTTP/1.1 403 Forbidden\r\n\r\n", "it refused with status 403"},
        {"HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic\r\n\r\n", "it refused the name and the password"},
        {"HTTP/1.1 200 OK\r\n\r\nstray", "its response is not valid"},
        {"SSH-2.0\r\n", "its response is not valid"},
        {"HTTP/1.1 200 ", "it closed the connection"},
    }));
    scripted_stream stream;
    stream.pieces = {answer};
    const auto tunnel = net::open_tunnel(stream, {"proxy", 1, "name:secret"}, url("https://service.test"));
    REQUIRE_FALSE(tunnel);
    CHECK(tunnel.error().code == ai::errc::connection_failed);
    CHECK(tunnel.error().hint == "The service could not be reached (the proxy proxy:1: " + why + ").");
    CHECK(tunnel.error().message.find("secret") == std::string::npos);
}
