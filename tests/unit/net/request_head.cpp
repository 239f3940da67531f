#include "net/request_head.hpp"

#include <pyaichat/net/adapter/outgoing_request.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
namespace net = pyaichat::net;

namespace {

std::string head_of(const ai::http_request& request, bool compressed = true) {
    REQUIRE(net::adapter::check_head(request));
    return net::request_head(request, *net::parse_url(request.url), compressed);
}

}  // namespace

TEST_CASE("a request has a request line, its own headers and those that are missing") {
    CHECK(head_of({.url = "https://example.org/v1/chat?alt=sse", .headers = {{"x-key", "k"}}, .body = "{}"}) ==
          "POST /v1/chat?alt=sse HTTP/1.1\r\nHost: example.org\r\nx-key: k\r\nUser-Agent: pyaichat/0.1.0\r\nAccept: */*\r\n"
          "Accept-Encoding: gzip, deflate\r\nContent-Length: 2\r\n\r\n");
    CHECK(head_of({.method = "GET", .url = "http://127.0.0.1:8080", .headers = {{"user-agent", "me"}, {"ACCEPT", "text/plain"}}}, false) ==
          "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nuser-agent: me\r\nACCEPT: text/plain\r\nAccept-Encoding: identity\r\n\r\n");
}

TEST_CASE("the host has a port only if it is not the usual one") {
    CHECK(head_of({.url = "https://[::1]:443/"}).find("Host: [::1]\r\n") != std::string::npos);
    CHECK(head_of({.url = "https://example.org:80/"}).find("Host: example.org:80\r\n") != std::string::npos);
    CHECK(head_of({.url = "http://localhost:80/"}).find("Host: localhost\r\n") != std::string::npos);
    const std::string own = head_of({.url = "http://localhost/", .headers = {{"host", "other"}}});
    CHECK(own.find("host: other\r\n") != std::string::npos);
    CHECK(own.find("localhost") == std::string::npos);
}

TEST_CASE("a POST without a body says so") {
    CHECK(head_of({.url = "http://localhost/"}).find("Content-Length: 0\r\n") != std::string::npos);
    CHECK(head_of({.method = "DELETE", .url = "http://localhost/"}).find("Content-Length") == std::string::npos);
}

TEST_CASE("what could add a line to the head is refused, and no value is repeated") {
    const auto refused = [](ai::http_request request) {
        const ai::result<void> checked = net::adapter::check_head(request);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().code == ai::errc::invalid_argument);
        CHECK(checked.error().message.find("secret") == std::string::npos);
        return checked.error().message;
    };
    refused({.method = "GET /\r\nX: y"});
    refused({.method = ""});
    refused({.headers = {{"", "secret"}}});
    refused({.headers = {{"a b", "secret"}}});
    CHECK(refused({.headers = {{"x-key", "secret\r\nX: y"}}}) == "the header \"x-key\" is malformed");
    refused({.headers = {{"x-key", std::string("secret\0", 7)}}});
    for (const std::string name : {"Content-Length", "transfer-encoding", "CONNECTION"}) {
        CHECK(refused({.headers = {{name, "secret"}}}) == "the header \"" + name + "\" is written by the transport");
    }
    CHECK(net::adapter::check_head({.headers = {{"x", "tab\tand \xc3\xa9"}}}));
}
