#include <pyaichat/net/adapter/incoming_body.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
using ai::net::adapter::incoming_body;

TEST_CASE("the body of an error response from a host's HTTP library is collected, and not streamed") {
    const ai::http_request request;
    std::string streamed;
    const ai::http_body_sink sink = [&](std::string_view piece) {
        streamed += piece;
        return true;
    };
    incoming_body body(request, &sink);
    body.begin(500);
    CHECK(body.take("refused"));
    CHECK(body.take_collected() == "refused");
    body.begin(200);
    CHECK(body.take("ok"));
    CHECK(streamed == "ok");
    CHECK(body.take_collected().empty());
}

TEST_CASE("a body from a host's HTTP library ends at the limit of the request, or when the sink has enough") {
    ai::http_request request;
    request.max_response_bytes = 4;
    incoming_body body(request, nullptr);
    body.begin(200);
    CHECK(body.take("1234"));
    CHECK_FALSE(body.refused());
    CHECK_FALSE(body.take("5"));
    CHECK(body.refused());
    CHECK(body.refusal("https://example.org").code == ai::errc::too_large);

    const ai::http_body_sink enough = [](std::string_view) { return false; };
    incoming_body stopped(request, &enough);
    stopped.begin(200);
    CHECK_FALSE(stopped.take("1"));
    CHECK(stopped.refusal("https://example.org").code == ai::errc::cancelled);
}
