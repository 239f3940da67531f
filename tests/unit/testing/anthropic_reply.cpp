#include <pyaichat/testing/anthropic_reply.hpp>

#include "testing/anthropic_emulator/anthropic_renderer.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

std::string rendered(const fake::anthropic_reply& reply, bool streamed = true) {
    return fake::anthropic_renderer(reply, "m", streamed).wire().bytes;
}

bool has(const std::string& text, std::string_view piece) {
    return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("the request to Anthropic decides between a document and events") {
    const auto reply = fake::anthropic_reply::text("Hello.");
    CHECK(has(rendered(reply, false), R"("content":[{"text":"Hello.","type":"text"}])"));
    const std::string streamed = rendered(reply);
    CHECK(has(streamed, "event: message_start\ndata: "));
    CHECK(has(streamed, R"("text":"Hel")"));
    CHECK(has(streamed, "event: message_stop\ndata: "));
    CHECK_FALSE(has(streamed, "ping"));
    CHECK(has(rendered(fake::anthropic_reply::text("Hello.").never_streamed()), "Content-Type: application/json"));
}

TEST_CASE("thinking, calls and faults are written as the service writes them") {
    const auto calls = [] { return fake::anthropic_reply::calls({{"toolu_1", "f", {{"x", 1}}}}).thinking("Hm.", "c2ln"); };
    const std::string streamed = rendered(calls());
    CHECK(has(streamed, R"("delta":{"signature":"c2ln","type":"signature_delta"})"));
    CHECK(has(streamed, R"("partial_json":"")"));
    CHECK(has(streamed, R"("stop_reason":"tool_use")"));
    CHECK_FALSE(has(rendered(calls().with_whole_input()), "input_json_delta"));
    CHECK(has(rendered(calls().with_pings()), R"({"type":"ping"})"));
    CHECK_FALSE(has(rendered(calls().without_message_stop()), "message_stop"));
    CHECK(has(rendered(calls().then_error("overloaded_error", "Overloaded")), "event: error"));
    CHECK_FALSE(has(rendered(calls().cut_after(3)), "message_delta"));
    CHECK(has(rendered(calls().redacted_thinking("abc"), false), R"({"data":"abc","type":"redacted_thinking"})"));
    CHECK(has(rendered(fake::anthropic_reply::content(json::array()).stopping("refusal", {{"category", "cyber"}}), false), "cyber"));
    CHECK(has(rendered(fake::anthropic_reply::text("x").usage({{"input_tokens", 7}}), false), R"("usage":{"input_tokens":7})"));
}

TEST_CASE("errors have their status and headers") {
    CHECK(has(rendered(fake::anthropic_reply::rate_limit("7")), "retry-after: 7"));
    CHECK(has(rendered(fake::anthropic_reply::spend_limit()), "enforced_spend_limit_reached"));
    CHECK(rendered(fake::anthropic_reply::overloaded()).starts_with("HTTP/1.1 529 "));
    CHECK(has(rendered(fake::anthropic_reply::http(502, {{"Content-Type", "text/html"}}, "<html>")), "<html>"));
}
