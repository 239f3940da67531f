#include <pyaichat/testing/openai_script.hpp>

#include "testing/openai_emulator/openai_renderer.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

std::string bytes_of(const fake::openai_reply& reply) {
    const json request = json::object({{"model", "m"}, {"stream", true}});
    const fake::loopback_reply wire = fake::openai_renderer(reply, request).wire();
    return wire.bytes + " delay " + std::to_string(wire.delay.count()) + " piece " + std::to_string(wire.piece) + " then " +
           std::to_string(static_cast<int>(wire.then));
}

}  // namespace

TEST_CASE("each entry of a script for OpenAI is the reply that the function of its name makes") {
    using reply = fake::openai_reply;
    const std::vector<std::pair<const char*, reply>> all = {
        {R"({"text": "Hello.", "after": "20ms", "byte_by_byte": true})", reply::text("Hello.").after(20ms).byte_by_byte()},
        {R"({"deltas": ["a", "b"], "finishing": "length"})", reply::deltas({"a", "b"}).finishing("length")},
        {R"({"calls": [{"id": "c", "name": "f", "arguments": "{\"x\":1}"}, {"name": "g"}], "without_index": true})",
         reply::calls({{"c", "f", R"({"x":1})"}, {"", "g"}}).without_index()},
        {R"({"text": "x", "thinking": "hm", "with_member": {"a": 1}})", reply::text("x").thinking("hm").with_member("a", 1)},
        {R"({"calls": [{"name": "f"}], "with_call_member": {"a": 1}})", reply::calls({{"", "f"}}).with_call_member("a", 1)},
        {R"({"text": "x", "without_finish": true, "without_done": true})", reply::text("x").without_finish().without_done()},
        {R"({"text": "x", "then_error": {"code": 502, "message": "m"}})", reply::text("x").then_error(502, "m")},
        {R"({"text": "x", "header": {"X-A": "b"}})", reply::text("x").header("X-A", "b")},
        {R"({"text": "x", "cut_after": 2})", reply::text("x").cut_after(2)},
        {R"({"error": {"status": 429, "message": "m", "code": "c", "type": "t"}})", reply::error(429, "m", "c", "t")},
        {R"({"document": {"a": 1}})", reply::document(json::object({{"a", 1}}))},
        {R"({"http": {"status": 418, "headers": {"X-A": "b"}, "body": "tea"}})", reply::http(418, {{"X-A", "b"}}, "tea")},
        {R"({"hang": true})", reply::hang()},
    };
    for (const auto& [entry, expected] : all) {
        CAPTURE(entry);
        const auto script = fake::parse_openai_script(R"({"replies": [)" + std::string(entry) + "]}");
        REQUIRE(script);
        REQUIRE(script->replies.size() == 1);
        CHECK(bytes_of(script->replies.front()) == bytes_of(expected));
    }
}

TEST_CASE("a script for OpenAI describes its service") {
    const auto script = fake::parse_openai_script(
        R"({"api_key": "k", "models": ["a"], "models_without_reasoning": ["b"], "models_without_functions": ["c"],
            "nine_character_ids": true, "any_last_message": true, "demanded_member": "d", "demanded_call_member": "e",
            "replies": [], "otherwise": {"text": "x"}})");
    REQUIRE(script);
    CHECK(script->service.api_key == "k");
    CHECK(script->service.models == std::vector<std::string>{"a"});
    CHECK(script->service.models_without_reasoning == std::vector<std::string>{"b"});
    CHECK(script->service.models_without_functions == std::vector<std::string>{"c"});
    CHECK(script->service.nine_character_ids);
    CHECK(script->service.any_last_message);
    CHECK(script->service.demanded_member == "d");
    CHECK(script->service.demanded_call_member == "e");
    CHECK(script->otherwise);
}

TEST_CASE("an error in a script for OpenAI is reported with its place") {
    const auto problem = [](const char* text) { return fake::parse_openai_script(text).error().message; };
    CHECK(problem(R"({"replies": [{}]})") == "replies[0]: no reply");
    CHECK(problem(R"({"replies": [{"txt": "x"}]})") == "replies[0]: unknown member \"txt\"");
    CHECK(problem(R"({"replies": [{"text": "x", "with_member": 1}]})").starts_with("replies[0].with_member: invalid value"));
    CHECK(problem(R"({"replies": [], "profile": "x"})").find("unknown member") != std::string::npos);
    CHECK(fake::read_openai_script("/nowhere/at/all.json").error().code == ai::errc::not_found);
}
