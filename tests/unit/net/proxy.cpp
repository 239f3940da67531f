#include "net/proxy.hpp"

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
namespace net = pyaichat::net;

namespace {

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
    CHECK(full->name() == "[::1]:80");
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
    CHECK_FALSE(direct("https://10.0.0.1", "1"));
    CHECK_FALSE(direct("https://10.0.0.1", "0.1"));
    CHECK(direct("https://db.node1", "node1"));
    CHECK(direct("https://[fe80::1]", "fe80::1"));
    CHECK(direct("https://[fe80::1]:9", "[fe80::1]"));
    CHECK(direct("https://anything", "x,*"));
    CHECK_FALSE(direct("https://example.org", ""));
    CHECK_FALSE(direct("https://example.org", " , ,. *. :"));
}
