#include "net/service_access.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace net = pyaichat::net;

TEST_CASE("a secret is taken out wherever it stands") {
    CHECK(net::redact("a KEY and KEYKEY", "KEY") == "a *** and ******");
    CHECK(net::redact("nothing", "") == "nothing");
    CHECK(net::redact("***", "*") == "*********");
}

TEST_CASE("a redirect is a failure that names its target, without the key") {
    const auto moved = net::redirect_failure({.status = 307, .headers = {{"location", "https://new.test/v1?key=KEY"}}}, "KEY");
    REQUIRE(moved);
    CHECK(moved->code == ai::errc::unreachable);
    CHECK(moved->message == "HTTP 307: redirected to https://new.test/v1?key=***");
    CHECK(moved->hint.find("https://new.test/v1?key=***") != std::string::npos);
    CHECK_FALSE(net::redirect_failure({.status = 307}, "KEY"));
    CHECK_FALSE(net::redirect_failure({.status = 404, .headers = {{"Location", "/"}}}, "KEY"));
}

TEST_CASE("a body beyond its budget is too large, and one that is no JSON is quoted without the key") {
    ai::json_budget budget{.values = 2};
    CHECK(net::parse_body("[1]", "KEY", budget));
    CHECK(net::parse_body("[1]", "KEY", budget).error().code == ai::errc::too_large);
    budget.values = 10;
    const ai::failure error = net::parse_body("no KEY", "KEY", budget).error();
    CHECK(error.code == ai::errc::bad_response);
    CHECK(error.message.find("no ***") != std::string::npos);
}

TEST_CASE("a refusal that is no error document is not parsed to its end") {
    CHECK(net::parse_refusal(R"({"error":1})"));
    CHECK_FALSE(net::parse_refusal("<html>"));
    std::string numbers = "[0";
    for (int i = 0; i < 20'000; ++i) {
        numbers += ",0";
    }
    CHECK_FALSE(net::parse_refusal(numbers + "]"));
    CHECK_FALSE(net::parse_refusal("\"" + std::string(std::size_t{2} << 20, 'x') + "\""));
}
