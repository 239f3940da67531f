#include <pyaichat/testing/anthropic_script.hpp>

#include "testing/anthropic_emulator/anthropic_renderer.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

std::string bytes_of(const fake::anthropic_reply& reply) {
    const fake::loopback_reply wire = fake::anthropic_renderer(reply, "m", true).wire();
    return wire.bytes + " delay " + std::to_string(wire.delay.count()) + " piece " + std::to_string(wire.piece) + " then " +
           std::to_string(static_cast<int>(wire.then));
}

std::string message_of(const std::string& text) {
    const auto script = fake::parse_anthropic_script(text);
    REQUIRE_FALSE(script);
    CHECK_FALSE(script.error().hint.empty());
    return script.error().message;
}

}  // namespace

TEST_CASE("each entry of a script for Anthropic is the reply that the function of its name makes") {
    using reply = fake::anthropic_reply;
    const std::vector<std::pair<const char*, reply>> all = {
        {R"({"text": "Hello.", "after": "20ms", "byte_by_byte": true})", reply::text("Hello.").after(20ms).byte_by_byte()},
        {R"({"calls": [{"id": "t", "name": "f", "input": {"x": 1}}, {"name": "g"}], "with_pings": true, "with_whole_input": true})",
         reply::calls({{"t", "f", {{"x", 1}}}, {"", "g"}}).with_pings().with_whole_input()},
        {R"({"content": [{"type": "text", "text": ""}], "stopping": {"reason": "max_tokens"}})",
         reply::content(json::array({{{"type", "text"}, {"text", ""}}}), "max_tokens")},
        {R"({"text": "x", "thinking": {"signature": "s"}, "redacted_thinking": "d"})",
         reply::text("x").thinking("", "s").redacted_thinking("d")},
        {R"({"text": "x", "usage": {"input_tokens": 1}, "without_message_stop": true})",
         reply::text("x").usage({{"input_tokens", 1}}).without_message_stop()},
        {R"({"text": "x", "then_error": {"type": "api_error", "message": "m"}})", reply::text("x").then_error("api_error", "m")},
        {R"({"text": "x", "cut_after": 2})", reply::text("x").cut_after(2)},
        {R"({"text": "x", "never_streamed": true})", reply::text("x").never_streamed()},
        {R"({"error": {"status": 400, "type": "t", "message": "m", "details": {"a": 1}}})", reply::error(400, "t", "m", {{"a", 1}})},
        {R"({"rate_limit": "7"})", reply::rate_limit("7")},
        {R"({"spend_limit": true})", reply::spend_limit()},
        {R"({"overloaded": true})", reply::overloaded()},
        {R"({"http": {"status": 418, "headers": {"X-A": "b"}, "body": "tea"}})", reply::http(418, {{"X-A", "b"}}, "tea")},
        {R"({"events": [{"type": "ping"}]})", reply::events({{{"type", "ping"}}})},
        {R"({"hang": true})", reply::hang()},
        {R"({"reset": true})", reply::reset()},
    };
    for (const auto& [entry, expected] : all) {
        CAPTURE(entry);
        const auto script = fake::parse_anthropic_script(R"({"replies": [)" + std::string(entry) + "]}");
        REQUIRE(script);
        REQUIRE(script->replies.size() == 1);
        CHECK(bytes_of(script->replies.front()) == bytes_of(expected));
    }
}

TEST_CASE("the key, the models and the last reply of a script are read") {
    const auto script =
        fake::parse_anthropic_script(R"({"api_key": "k", "models": ["a", "b"], "replies": [], "otherwise": {"text": "x"}})");
    REQUIRE(script);
    CHECK(script->service.api_key == "k");
    CHECK(script->service.models == std::vector<std::string>{"a", "b"});
    CHECK(script->otherwise);
}

TEST_CASE("an error in a script for Anthropic is told with its place") {
    CHECK(message_of("{").find("invalid JSON") != std::string::npos);
    CHECK(message_of("{}") == "the list \"replies\" is missing");
    CHECK(message_of(R"({"replies": [{}]})") == "replies[0]: no reply");
    CHECK(message_of(R"({"replies": [{"text": "x", "hang": true}]})").find("second reply") != std::string::npos);
    CHECK(message_of(R"({"replies": [{"txt": "x"}]})") == "replies[0]: unknown member \"txt\"");
    CHECK(message_of(R"({"replies": [{"text": 1}]})").find("replies[0].text: invalid value") == 0);
    CHECK(fake::read_anthropic_script("/nowhere/at/all.json").error().code == ai::errc::not_found);
}
