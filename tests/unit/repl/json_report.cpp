#include "assistant/json_report.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
using namespace std::chrono_literals;

TEST_CASE("a report has all members, and calls that were refused beside those that ran") {
    ai::answer reply;
    reply.text = "It\nis.";
    reply.reason = ai::stop_reason::max_steps;
    reply.error = ai::failure{.code = ai::errc::rate_limited, .message = "slow down"};
    reply.steps = 2;
    reply.usage = {.input_tokens = 10, .output_tokens = 4};
    reply.events.push_back({.number = 1, .data = ai::call_finished{.name = "look", .reply = ai::reply_with("x"), .took = 1500us}});
    reply.events.push_back({.number = 2, .data = ai::call_denied{.name = "touch", .reply = ai::reply_error(ai::reply_code::denied, "no")}});

    const std::string line = repl::json_report(reply, 20ms);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(
        line ==
        R"({"answer":"It\nis.","calls":[{"code":"ok","ms":1.5,"name":"look","ok":true},{"code":"denied","ms":0.0,"name":"touch","ok":false}],)"
        R"("cost_dollars":null,"degraded":true,"error":{"code":"rate_limited","message":"slow down"},"ms":20.0,"reason":"max_steps","steps":2,)"
        R"("usage":{"input_tokens":10,"output_tokens":4}})");
}

TEST_CASE("a complete answer has no error and is not degraded") {
    ai::answer reply;
    reply.text = "Yes.";
    reply.reason = ai::stop_reason::complete;
    const auto read = ai::parse_json(repl::json_report(reply, 1ms));
    REQUIRE(read.has_value());
    CHECK(ai::find_member(*read, "error")->is_null());
    CHECK(ai::bool_member(*read, "degraded") == false);
}
