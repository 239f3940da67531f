#include <pyaichat/net/adapter/outgoing_request.hpp>

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace adapter = pyaichat::net::adapter;
using namespace std::chrono_literals;

namespace outgoing_request_tests {

namespace {

ai::http_request request_to(std::string url) {
    ai::http_request request;
    request.url = std::move(url);
    return request;
}

std::string value_of(const std::vector<ai::http_header>& headers, std::string_view name) {
    for (const ai::http_header& header : headers) {
        if (header.name == name) {
            return header.value;
        }
    }
    return "missing";
}

}  // namespace

TEST_CASE("a request for a host's HTTP library is refused if its URL is not usable or not encrypted") {
    for (const char* url : {"", "ftp://127.0.0.1/", "http://example.org/", "https://user:word@example.org/"}) {
        const auto checked = adapter::check_request(request_to(url));
        REQUIRE_FALSE(checked);
        CHECK(checked.error().code == ai::errc::invalid_argument);
    }
    CHECK(adapter::check_request(request_to("https://example.org/")));
    CHECK(adapter::check_request(request_to("http://[::1]:8080/")));
}

TEST_CASE("a request for a host's HTTP library is refused if a header could end the head or says where the body ends") {
    for (const ai::http_header& wrong : {ai::http_header{"X-Key", "s3cret\r\nX: y"}, ai::http_header{"X Key", "s3cret"},
                                         ai::http_header{"content-length", "3"}, ai::http_header{"Connection", "close"}}) {
        ai::http_request request = request_to("https://example.org/");
        request.headers = {wrong};
        const auto checked = adapter::check_request(request);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().code == ai::errc::invalid_argument);
        CHECK(checked.error().message.find("s3cret") == std::string::npos);
    }
}

TEST_CASE("a host's HTTP library gets the headers of the request, and those that it lacks") {
    ai::http_request request = request_to("https://[2001:db8::1]/");
    request.headers = {{"user-agent", "mine"}};
    const auto headers = adapter::headers_to_send(request, *adapter::check_request(request), "gzip");
    CHECK(headers.size() == 4);
    CHECK(value_of(headers, "Host") == "[2001:db8::1]");
    CHECK(value_of(headers, "user-agent") == "mine");
    CHECK(value_of(headers, "Accept-Encoding") == "gzip");
    const ai::http_request other = request_to("https://example.org:8443/");
    CHECK(value_of(adapter::headers_to_send(other, *adapter::check_request(other), "identity"), "Host") == "example.org:8443");
}

TEST_CASE("an exchange that was cancelled or is late says so, whatever the library says") {
    ai::http_request request = request_to("https://example.org/");
    const ai::failure broken{.code = ai::errc::connection_failed, .message = "broken"};
    ai::cancel_source stop;
    const ai::cancel_token token = stop.get_token();
    const auto target = adapter::check_request(request);
    const adapter::exchange_limits limits(request, *target, token);
    CHECK_FALSE(limits.exceeded());
    CHECK(limits.explain(broken).code == ai::errc::connection_failed);
    stop.request_stop();
    CHECK(limits.exceeded());
    CHECK(limits.explain(broken).code == ai::errc::cancelled);
    request.timeout = 0ms;
    const ai::cancel_token never;
    CHECK(adapter::exchange_limits(request, *target, never).explain(broken).code == ai::errc::timeout);
}

}  // namespace outgoing_request_tests
