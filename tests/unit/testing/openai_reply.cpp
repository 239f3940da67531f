#include <pyaichat/testing/openai_reply.hpp>

#include "testing/openai_emulator/openai_renderer.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

fake::loopback_reply wire(const fake::openai_reply& reply, bool stream) {
    const json request = json::object({{"model", "m"}, {"stream", stream}});
    return fake::openai_renderer(reply, request).wire();
}

std::string body(const fake::openai_reply& reply, bool stream) {
    const std::string bytes = wire(reply, stream).bytes;
    return bytes.substr(bytes.find("\r\n\r\n") + 4);
}

bool has(const std::string& text, const char* piece) {
    return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("the request to OpenAI decides between a document and events") {
    const auto whole = ai::parse_json(body(fake::openai_reply::deltas({"Hel", "lo."}), false));
    REQUIRE(whole);
    CHECK((*whole)["choices"][0]["message"]["content"] == "Hello.");
    CHECK((*whole)["choices"][0]["finish_reason"] == "stop");
    const std::string events = body(fake::openai_reply::deltas({"Hel", "lo."}), true);
    CHECK(has(events, R"("delta":{"content":"Hel"})"));
    CHECK(events.ends_with("data: [DONE]\n\n"));
    CHECK_FALSE(has(events, "usage"));
}

TEST_CASE("a reply may lack what services lack") {
    const auto calls = [] { return fake::openai_reply::calls({{"c", "f", R"({"n":1})"}}); };
    CHECK(has(body(calls(), true), R"("index":0,"type":"function")"));
    CHECK_FALSE(has(body(calls().without_index(), true), R"("index":0,"type":"function")"));
    CHECK(has(body(calls(), true), R"("finish_reason":"tool_calls")"));
    CHECK_FALSE(has(body(calls().without_finish(), true), R"("finish_reason":"tool_calls")"));
    CHECK_FALSE(has(body(calls().without_done(), true), "[DONE]"));
    CHECK(has(body(calls().with_call_member("extra_content", 5), false), R"("extra_content":5)"));
    CHECK(has(body(calls().thinking("hm").with_member("x", 1), false), R"("reasoning_content":"hm")"));
    CHECK(body(fake::openai_reply::text("x").then_error(503, "busy"), true).ends_with("\"message\":\"busy\"}}\n\n"));
}

TEST_CASE("faults of the transport are those of the reply") {
    CHECK(wire(fake::openai_reply::hang(), true).then == fake::loopback_reply::ending::hang);
    CHECK(wire(fake::openai_reply::text("x").byte_by_byte(), true).piece == 1);
    const auto cut = wire(fake::openai_reply::text("x").cut_after(5), true);
    CHECK(cut.then == fake::loopback_reply::ending::close);
    CHECK(cut.bytes.ends_with("\r\n\r\ndata:"));
    CHECK(has(wire(fake::openai_reply::error(429, "slow").header("Retry-After", "3"), true).bytes, "Retry-After: 3\r\n"));
}
