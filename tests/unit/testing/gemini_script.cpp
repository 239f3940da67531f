#include <pyaichat/testing/gemini_script.hpp>

#include "catch.hpp"
#include "testing/gemini_emulator/gemini_renderer.hpp"

#include <filesystem>
#include <fstream>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

std::string events_of(const fake::gemini_reply& reply) {
    const fake::gemini_render_options options = {.streamed = true, .events = true};
    const fake::loopback_reply wire = fake::gemini_renderer(reply, options).wire();
    std::string out = wire.bytes;
    for (const fake::loopback_write& one : wire.rest) {
        out += one.bytes;
    }
    return out + " delay " + std::to_string(wire.delay.count()) + " piece " + std::to_string(wire.piece) + " pause " +
           std::to_string(wire.pause.count()) + " then " + std::to_string(static_cast<int>(wire.then));
}

/// The one reply of a script with this entry.
std::string events_of(const std::string& entry) {
    const auto script = fake::parse_gemini_script("{\"replies\": [" + entry + "]}");
    CAPTURE(entry, script ? std::string() : script.error().message);
    REQUIRE(script);
    REQUIRE(script->replies.size() == 1);
    return events_of(script->replies.front());
}

}  // namespace

TEST_CASE("each entry of a script is the reply that the function of its name makes") {
    using reply = fake::gemini_reply;
    const std::vector<std::pair<const char*, reply>> all = {
        {R"({"text": "Hello.", "signature": "c2ln"})", reply::text("Hello.", "c2ln")},
        {R"({"deltas": ["Hel", "lo."], "thinking": "Hm."})", reply::deltas({"Hel", "lo."}).thinking("Hm.")},
        {R"({"calls": [{"id": "fc-1", "name": "f", "args": {"x": 1}}, {"name": "g"}], "signature": "c2ln", "chunk_per_part": true})",
         reply::calls({{"fc-1", "f", *ai::parse_json(R"({"x": 1})")}, {"", "g", nullptr}}, "c2ln").chunk_per_part()},
        {R"({"parts": [{}], "finishing": "MAX_TOKENS"})", reply::parts(*ai::parse_json("[{}]"), "MAX_TOKENS")},
        {R"({"finish": {"reason": "UNEXPECTED_TOOL_CALL", "message": "m"}})", reply::finish("UNEXPECTED_TOOL_CALL", "m")},
        {R"({"finish": "SAFETY"})", reply::finish("SAFETY")},
        {R"({"prompt_block": "SAFETY"})", reply::prompt_block("SAFETY")},
        {R"({"error": {"code": 400, "status": "S", "message": "m", "details": [1]}})", reply::error(400, "S", "m", json::array({1}))},
        {R"({"rate_limit": {"retry_delay": "56s"}})", reply::rate_limit("56s")},
        {R"({"rate_limit": {"quota_id": "q"}})", reply::rate_limit("", "q")},
        {R"({"rate_limit_in_text": "12.5s"})", reply::rate_limit_in_text("12.5s")},
        {R"({"daily_quota": true})", reply::daily_quota()},
        {R"({"overloaded": true, "in_array": true})", reply::overloaded().in_array()},
        {R"({"html_error": 502})", reply::html_error(502)},
        {R"({"document": {"candidates": []}})", reply::document(*ai::parse_json(R"({"candidates": []})"))},
        {R"({"documents": [{}, {"a": 1}]})", reply::documents({json::object(), *ai::parse_json(R"({"a": 1})")})},
        {R"({"http": {"status": 418, "headers": {"X-A": "b"}, "body": "tea"}})", reply::http(418, {{"X-A", "b"}}, "tea")},
        {R"({"raw": "nonsense"})", reply::raw("nonsense")},
        {R"({"hang": true})", reply::hang()},
        {R"({"reset": true})", reply::reset()},
        {R"({"text": "x", "and_part": {"thoughtSignature": "c2ln"}, "last_chunk": "role_only"})",
         reply::text("x").and_part(*ai::parse_json(R"({"thoughtSignature": "c2ln"})")).last_chunk(fake::gemini_last_chunk::role_only)},
        {R"({"text": "x", "without_finish": true, "with_unknown_members": true, "usage": null})",
         reply::text("x").without_finish().with_unknown_members().usage(nullptr)},
        {R"({"text": "x", "without_candidates": true, "finish_on_every_chunk": true})",
         reply::text("x").without_candidates().finish_on_every_chunk()},
        {R"({"text": "x", "then_error": {"code": 503, "status": "S", "message": "m"}})", reply::text("x").then_error(503, "S", "m")},
        {R"({"text": "x", "then_bare_error": {"code": 503, "status": "S", "message": "m"}})",
         reply::text("x").then_bare_error(503, "S", "m")},
        {R"({"text": "x", "line_end": "\n", "without_last_blank_line": true})", reply::text("x").line_end("\n").without_last_blank_line()},
        {R"({"deltas": ["x", "y"], "chunk_pause": "1.5ms"})", reply::deltas({"x", "y"}).chunk_pause(1500us)},
        {R"({"text": "x", "header": {"Content-Type": "a/b"}, "padded_by": 3})",
         reply::text("x").header("Content-Type", "a/b").padded_by(3)},
        {R"({"text": "x", "after": "2s"})", reply::text("x").after(2s)},
        {R"({"text": "x", "dripping": {"bytes": 7, "pause": "20us"}})", reply::text("x").dripping(7, 20us)},
        {R"({"text": "x", "byte_by_byte": true, "then_close": true})", reply::text("x").byte_by_byte().then_close()},
        {R"({"text": "x", "cut_after": 10})", reply::text("x").cut_after(10)},
        {R"({"text": "x", "reset_after": 10})", reply::text("x").reset_after(10)},
        {R"({"text": "x", "stall_after": 10})", reply::text("x").stall_after(10)},
        {R"({"text": "x", "only_for": "count_tokens"})", reply::text("x").only_for(fake::gemini_method::count_tokens)},
    };
    for (const auto& [entry, expected] : all) {
        CAPTURE(entry);
        CHECK(events_of(std::string(entry)) == events_of(expected));
    }
}

TEST_CASE("a script says what the service knows, and what comes when it is over") {
    const auto script = fake::parse_gemini_script(
        R"({"profile": 2.5, "api_key": "k", "models": ["gemini-2.5-pro", "gemini-4-argon"], "replies": [], "otherwise": {"overloaded": true}})");
    REQUIRE(script);
    CHECK(script->service.profile->name == "2.5");
    CHECK(script->service.api_key == "k");
    CHECK(script->service.models.size() == 2);
    CHECK(script->replies.empty());
    REQUIRE(script->otherwise);
    CHECK(events_of(*script->otherwise) == events_of(fake::gemini_reply::overloaded()));
}

TEST_CASE("what is wrong in a script is named with its place and with what to write instead") {
    struct expectation {
        const char* text;
        const char* message;
        const char* hint;
    };
    const std::vector<expectation> all = {
        {"", "line 1, column 1: invalid JSON", "Write one JSON document"},
        {"{\"replies\": [\n  {\"text\": \"x\",}\n]}", "line 2, column 16: invalid JSON", "no comma after the last member"},
        {"[]", "the list \"replies\" is missing", R"({"replies": [{"text": "Hello."}]})"},
        {R"({"replies": {}})", "the list \"replies\" is missing", ""},
        {R"({"replies": [], "profil": "3.6"})", "unknown member \"profil\"", "Did you mean \"profile\"?"},
        {R"({"replies": [], "profile": "1.5"})", "profile: '1.5' is not a version of the emulated models", "Use a version from 2.5 to 4"},
        {R"({"replies": [], "models": "x"})", "models: invalid value", "Write a list of model names"},
        {R"({"replies": [], "api_key": 5})", "api_key: invalid value", "Write the key"},
        {R"({"replies": [{"text": "x"}, {"texd": "x"}]})", "replies[1]: unknown member \"texd\"", "Did you mean \"text\"?"},
        {R"({"replies": ["x"]})", "replies[0]: invalid value: \"x\"", "Write an object."},
        {R"({"replies": [{}]})", "replies[0]: no reply", "Add a reply: text, deltas, calls"},
        {R"({"replies": [{"after": "1s"}]})", "replies[0]: no reply", ""},
        {R"({"replies": [{"text": "x", "hang": true}]})", "replies[0]: \"hang\" is a second reply in one entry",
         "Write one entry for each request."},
        {R"({"replies": [{"overloaded": true, "signature": "c2ln"}]})", "replies[0].signature: not allowed here", "text, deltas or calls"},
        {R"({"replies": [{"text": 5}]})", "replies[0].text: invalid value: 5", "Write a text."},
        {R"({"replies": [{"text": "x", "after": "20"}]})", "replies[0].after: invalid value: \"20\"",
         "with its unit: \"500us\", \"20ms\" or \"1.5s\""},
        {R"({"replies": [{"text": "x", "cut_after": -1}]})", "replies[0].cut_after: invalid value: -1", "a whole number from 0"},
        {R"({"replies": [{"hang": false}]})", "replies[0].hang: invalid value: false", "Write true, or leave the member out."},
        {R"({"replies": [{"calls": [{"id": "x"}]}]})", "replies[0].calls[0].name: invalid value: null", "Write a text."},
        {R"({"replies": [{"calls": [{"name": "f", "arguments": {}}]}]})", "replies[0].calls[0]: unknown member \"arguments\"",
         "Use one of: id, name, args."},
        {R"({"replies": [{"text": "x", "last_chunk": "role"}]})", "replies[0].last_chunk: unknown value \"role\"", "role_only"},
        {R"({"replies": [], "otherwise": {"sleep": 1}})", "otherwise: unknown member \"sleep\"", ""},
    };
    for (const expectation& one : all) {
        CAPTURE(one.text);
        const auto script = fake::parse_gemini_script(one.text);
        REQUIRE_FALSE(script);
        CHECK(script.error().code == ai::errc::invalid_argument);
        CHECK(script.error().message == one.message);
        CAPTURE(script.error().hint);
        CHECK(script.error().hint.find(one.hint) != std::string::npos);
    }
}

TEST_CASE("a script is read from a file, whose name is in what is said about it") {
    const std::string path = (std::filesystem::temp_directory_path() / "pyaichat-script-test.json").string();
    std::ofstream(path) << R"({"replies": [{"texd": "x"}]})";
    const auto wrong = fake::read_gemini_script(path);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().message == path + ": replies[0]: unknown member \"texd\"");
    std::ofstream(path) << R"({"replies": [{"text": "x"}]})";
    CHECK(fake::read_gemini_script(path)->replies.size() == 1);
    std::filesystem::remove(path);
    CHECK(fake::read_gemini_script(path).error().code == ai::errc::not_found);
}
