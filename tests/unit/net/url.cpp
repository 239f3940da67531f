#include <pyaichat/net/url.hpp>

#include "catch.hpp"

namespace net = pyaichat::net;

TEST_CASE("a URL is split into scheme, host, port and target") {
    const auto parsed = net::parse_url("HTTPS://Example.ORG:8443/v1/models/x:generate?alt=sse#part");
    REQUIRE(parsed);
    CHECK(parsed->scheme == "https");
    CHECK(parsed->host == "example.org");
    CHECK(parsed->port == 8443);
    CHECK(parsed->target == "/v1/models/x:generate?alt=sse");
    CHECK_FALSE(parsed->loopback());
}

TEST_CASE("a URL without port and path gets the scheme's port and a slash") {
    CHECK(net::parse_url("https://a.example")->port == 443);
    CHECK(net::parse_url("http://a.example")->port == 80);
    CHECK(net::parse_url("http://a.example")->target == "/");
    CHECK(net::parse_url("http://a.example?x=1")->target == "/?x=1");
}

TEST_CASE("loopback is localhost, 127.0.0.0/8 and ::1, and no name that looks like them") {
    CHECK(net::parse_url("http://localhost:80")->loopback());
    CHECK(net::parse_url("http://127.1.2.3")->loopback());
    CHECK(net::parse_url("http://[::1]:8080/x")->loopback());
    CHECK(net::parse_url("http://[::1]:8080/x")->host == "::1");
    for (const char* name :
         {"127.0.0.1.example.org", "127.999.0.1", "127.0.0.256", "127.0.0.08", "127.0.0", "127.0.0.", "127..0.1", "128.0.0.1"}) {
        CAPTURE(name);
        CHECK_FALSE(net::parse_url("http://" + std::string(name))->loopback());
    }
    CHECK_FALSE(net::parse_url("http://localhost.example.org")->loopback());
    CHECK_FALSE(net::parse_url("http://[::2]")->loopback());
}

TEST_CASE("what is no absolute http URL is refused") {
    const std::string text = GENERATE(as<std::string>(), "", "example.org", "/path", "ftp://example.org", "http://", "http://:80",
                                      "http://a:0", "http://a:65536", "http://a:8x", "http://a:", "http://[::1", "http://[example]",
                                      "http://[::1]x", "http://a b/", "http://a/\r\nX: y", "http://a/\x80");
    CAPTURE(text);
    const auto parsed = net::parse_url(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == pyaichat::errc::invalid_argument);
    CHECK_FALSE(parsed.error().hint.empty());
}

TEST_CASE("user information is refused and not repeated") {
    const auto parsed = net::parse_url("https://person:secret@example.org/");
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message.find("secret") == std::string::npos);
    CHECK(parsed.error().hint.find("secret") == std::string::npos);
}
