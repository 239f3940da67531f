#include "openai/completion_reader.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;
using ai::json;

namespace {

const ai::openai_profile profile;
const codec::error_style errors = {.names = {.model = "gpt-9", .secret = "sk-1"}, .profile = &profile};

struct outcome {
    ai::result<ai::model_response> response = ai::failure();
    int restarts = 0;
    std::string text = {};  ///< as it was shown, pieces separated by |
    std::string thoughts = {};
};

outcome read(const std::string& body, std::size_t piece = std::string::npos, std::size_t limit = 1 << 20) {
    outcome out;
    const ai::delta_sink sink([&out](ai::delta_sink::kind what, std::string_view text) {
        if (what == ai::delta_sink::kind::restart) {
            ++out.restarts;
            return;
        }
        (what == ai::delta_sink::kind::thought ? out.thoughts : out.text).append(text).append("|");
    });
    codec::chat_reader reader(sink, {.writer = "w", .functions = true}, errors, limit);
    for (std::size_t at = 0; at < body.size(); at += std::min(piece, body.size())) {
        if (!reader.feed(std::string_view(body).substr(at, piece))) {
            break;
        }
    }
    out.response = reader.finish();
    return out;
}

std::string event(const std::string& data, const std::string& line_end = "\n") {
    return "data: " + data + line_end + line_end;
}

/// A chunk of the first choice.
std::string delta(const std::string& members, const std::string& more = "") {
    return event(R"({"id": "x", "choices": [{"index": 0, "delta": {)" + members + "}" + more + "}]}");
}

std::string call(const std::string& members) {
    return delta(R"("tool_calls": [{)" + members + "}]");
}

const std::string done = "data: [DONE]\n\n";

std::string finish(const std::string& word) {
    return delta("", R"(, "finish_reason": ")" + word + "\"");
}

const ai::candidate& first(const outcome& from) {
    REQUIRE(from.response);
    REQUIRE(from.response->candidates.size() == 1);
    return from.response->candidates.front();
}

std::vector<ai::call_part> calls(const outcome& from) {
    std::vector<ai::call_part> out;
    for (const ai::part& piece : first(from).content.parts) {
        if (const auto* one = piece.as<ai::call_part>()) {
            out.push_back(*one);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("text and reasoning are shown as they come, and joined in the response") {
    const std::string body = ": OPENROUTER PROCESSING\n\n" + delta(R"("role": "assistant", "content": "")") +
                             delta(R"("reasoning_content": "h")") + delta(R"("reasoning_content": "m", "content": null)") +
                             delta(R"("content": "a")") + delta(R"("content": "\u00e9")") + finish("stop") +
                             event(R"({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}})") + done;
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::string::npos}) {
        const outcome out = read(body, piece);
        CHECK(out.text == "a|\xc3\xa9|");
        CHECK(out.thoughts == "h|m|");
        CHECK(first(out).content.text() == "a\xc3\xa9");
        CHECK(first(out).finish == ai::finish_reason::stop);
        CHECK(out.response->usage == ai::token_usage{.input_tokens = 3, .output_tokens = 2});
        CHECK(first(out).content.wire->body ==
              json::object({{"content", "a\xc3\xa9"}, {"reasoning_content", "hm"}, {"role", "assistant"}}));
    }
}

TEST_CASE("reasoning under two names is shown once, and both go back") {
    const outcome out = read(delta(R"("reasoning": "t", "reasoning_content": "t")") + delta(R"("content": "a")") + finish("stop") + done);
    CHECK(out.thoughts == "t|");
    CHECK(first(out).content.wire->body["reasoning"] == "t");
    CHECK(first(out).content.wire->body["reasoning_content"] == "t");
}

TEST_CASE("reasoning details are joined by their index and keep their other members") {
    const auto details = [](const std::string& entry) { return delta(R"("reasoning_details": [)" + entry + "]"); };
    const outcome out = read(details(R"({"type": "reasoning.text", "index": 0, "text": "a", "format": "f"})") +
                             details(R"({"type": "reasoning.text", "index": 0, "text": "b", "signature": null})") +
                             details(R"({"type": "reasoning.encrypted", "index": 1, "data": "xyz", "id": "r"})") +
                             details(R"({"type": "reasoning.text", "index": 0, "signature": "s"})") +
                             call(R"("index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"})") + finish("tool_calls") + done);
    CHECK(ai::dump_json(first(out).content.wire->body["reasoning_details"]) ==
          R"([{"format":"f","index":0,"signature":"s","text":"ab","type":"reasoning.text"},)"
          R"({"data":"xyz","id":"r","index":1,"type":"reasoning.encrypted"}])");
}

TEST_CASE("calls are told apart by index, by id, or by being complete") {
    const struct {
        const char* what;
        std::string body;
    } streams[] = {
        {"interleaved, with a gap", call(R"("index": 1, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""})") +
                                        call(R"("index": 4, "id": "b", "function": {"name": "g", "arguments": "{\"n\""})") +
                                        call(R"("index": 1, "function": {"arguments": "{\"n\":1}"})") +
                                        call(R"("index": 4, "function": {"arguments": ":2}"})")},
        {"one index for all", call(R"("index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"})") +
                                  call(R"("index": 0, "id": "b", "function": {"name": "g", "arguments": "{\"n\":2}"})")},
        {"no index", call(R"("id": "a", "function": {"name": "f", "arguments": "{\"n\""})") + call(R"("function": {"arguments": ":1}"})") +
                         call(R"("id": "b", "function": {"name": "g", "arguments": "{\"n\":2}"})")},
        {"an id that changes, names in later deltas",
         call(R"("index": 0, "id": "a", "function": {"arguments": ""})") +
             call(R"("index": 0, "id": "z", "function": {"arguments": "{\"n\":1}"})") +
             call(R"("index": 0, "id": "", "function": {"name": "f"})") +
             call(R"("index": 1, "id": "b", "function": {"name": "g", "arguments": {"n": 2}})")},
        {"one index and no ids", call(R"("index": 0, "function": {"name": "f", "arguments": "{\"n\":1}"})") +
                                     call(R"("index": 0, "function": {"name": "g", "arguments": "{\"n\":2}"})")},
        {"both in one delta",
         delta(
             R"("tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"}}, {"index": 1, "id": "b", "function": {"name": "g", "arguments": "{\"n\":2}"}}])")},
        {"names repeated and empty", call(R"("index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":"})") +
                                         call(R"("index": 0, "id": "", "function": {"name": "", "arguments": "1"})") +
                                         call(R"("index": 0, "id": "a", "function": {"name": "f", "arguments": "}"})") +
                                         call(R"("index": 1, "id": "b", "function": {"name": "g", "arguments": "{\"n\":2}"})")},
        {"a whole message in place of a delta",
         event(
             R"({"choices": [{"index": 0, "message": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"}}, {"id": "b", "function": {"name": "g", "arguments": "{\"n\":2}"}}]}}]})")},
    };
    for (const auto& stream : streams) {
        CAPTURE(stream.what);
        const auto found = calls(read(stream.body + finish("tool_calls") + done));
        REQUIRE(found.size() == 2);
        const bool has_ids = std::string(stream.what).find("no ids") == std::string::npos;
        CHECK((found[0].id == "a") == has_ids);
        CHECK(found[0].name == "f");
        CHECK(found[0].arguments == json::object({{"n", 1}}));
        CHECK((found[1].id == "b") == has_ids);
        CHECK(found[1].name == "g");
        CHECK(found[1].arguments == json::object({{"n", 2}}));
    }
}

TEST_CASE("calls without ids and indices get different ids, the same ones each time") {
    const std::string body = call(R"("id": "", "function": {"name": "f", "arguments": "{}"})") +
                             call(R"("id": "", "function": {"name": "f", "arguments": "{}"})") + finish("stop") + done;
    const auto found = calls(read(body));
    REQUIRE(found.size() == 2);
    CHECK(found[0].id.size() == 14);
    CHECK(found[0].id != found[1].id);
    CHECK(calls(read(body))[1].id == found[1].id);
}

TEST_CASE("two whole calls of one id are two calls, of which the second gets another id") {
    const std::string twice = call(R"("id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"})") +
                              call(R"("id": "a", "function": {"name": "f", "arguments": "{\"n\":2}"})");
    const auto found = calls(read(twice + finish("tool_calls") + done));
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == "a");
    CHECK(found[1].id != "a");
    CHECK(found[1].arguments == json::object({{"n", 2}}));
}

TEST_CASE("unknown members of a call are kept") {
    const outcome out =
        read(call(R"("id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"google": {"thought_signature": "s"}})") +
             finish("stop") + done);
    CHECK(first(out).content.wire->body["tool_calls"][0]["extra_content"]["google"]["thought_signature"] == "s");
}

TEST_CASE("a stream without a finish reason is cut, unless it says that it is done") {
    CHECK(read(delta(R"("content": "a")")).response.error().code == ai::errc::connection_failed);
    CHECK(read("").response.error().code == ai::errc::connection_failed);
    CHECK(read("data: {\"choices\": [").response.error().code == ai::errc::connection_failed);
    CHECK(read(event(R"({"choices": [], "prompt_filter_results": []})")).response.error().code == ai::errc::connection_failed);
    CHECK(first(read(delta(R"("content": "a")") + done)).finish == ai::finish_reason::unknown);
    CHECK(first(read(delta(R"("content": "a")") + finish("stop"))).content.text() == "a");
    CHECK(first(read(delta(R"("content": "a")", R"(, "finish_reason": "")") + done)).finish == ai::finish_reason::unknown);
    CHECK(first(read(delta(R"("content": "a")") + "data: {\"x\": 1}\n\n" + finish("length") + done + "data: junk\n\n")).finish ==
          ai::finish_reason::length);
}

TEST_CASE("a stream that is cut at any byte before its finish reason is interrupted, and what was shown is withdrawn") {
    const std::string body = ": comment\n\n" + delta(R"("role": "assistant", "content": "")") + delta(R"("content": "\u00e9a")") +
                             call(R"("index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"n\":1}"})") + finish("tool_calls");
    const std::size_t whole = body.find("\n\n", body.find("finish_reason"));
    for (std::size_t length = 0; length < whole; ++length) {
        CAPTURE(length);
        const outcome out = read(body.substr(0, length));
        REQUIRE_FALSE(out.response);
        CHECK(out.response.error().code == ai::errc::connection_failed);
        CHECK(out.restarts == (out.text.empty() ? 0 : 1));
    }
    CHECK(calls(read(body.substr(0, whole))).size() == 1);
}

TEST_CASE("an error in the stream without a status has the code that its kind means") {
    const auto code = [](const char* error) { return read(event(error)).response.error().code; };
    CHECK(code(R"({"error": {"type": "invalid_request_error", "message": "x", "code": null}})") == ai::errc::request_rejected);
    CHECK(code(R"({"error": {"type": "server_error", "message": "x", "code": "invalid_prompt"}})") == ai::errc::request_rejected);
    CHECK(code(R"({"error": {"message": "x", "code": "slow_down"}})") == ai::errc::rate_limited);
    CHECK(code(R"({"error": "busy"})") == ai::errc::unavailable);
}

TEST_CASE("an error in the stream is that error, in each of its forms") {
    const std::string begun = delta(R"("content": "a")");
    for (const std::string& error :
         {event(R"({"error": {"message": "busy", "code": 503}})"), "event: error\n" + event(R"({"message": "busy", "code": 503})"),
          event(R"({"choices": [{"index": 0, "delta": {}, "finish_reason": "error"}], "error": {"code": 503, "message": "busy"}})"),
          std::string("error: {\"code\": 503, \"message\": \"busy\"}\n\n"),
          std::string("{\"error\": {\"code\": 503, \"message\": \"busy\"}}\n")}) {
        CAPTURE(error);
        for (const std::string& before : {std::string(), begun}) {
            const outcome out = read(before + error);
            REQUIRE_FALSE(out.response);
            CHECK(out.response.error().code == ai::errc::unavailable);
            CHECK(out.response.error().message.find("busy") != std::string::npos);
            CHECK(out.restarts == (before.empty() ? 0 : 1));
        }
    }
}

TEST_CASE("a document in place of a stream is read, and junk is a bad response") {
    const char* whole = R"({"object": "chat.completion", "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}]})";
    CHECK(first(read(whole)).content.text() == "a");
    CHECK(read(whole).text == "a|");
    CHECK(first(read(R"({"choices": [{"message": {"content": "a"}}]})")).finish == ai::finish_reason::unknown);
    for (const char* junk : {"<html>", "data: <html>\n\n", "data: 5\n\n", "{\"foo\": 1}"}) {
        CAPTURE(junk);
        CHECK(read(junk).response.error().code == ai::errc::bad_response);
    }
    CHECK(read(delta(R"("content": "a")"), 100, 50).response.error().code == ai::errc::too_large);
    CHECK(read("data: sk-1 {\n\n").response.error().message.find("sk-1") == std::string::npos);
}

TEST_CASE("two choices are collected apart, and only the first one is shown") {
    const outcome out = read(event(R"({"choices": [{"index": 0, "delta": {"content": "a"}}, {"index": 1, "delta": {"content": "b"}}]})") +
                             event(R"({"choices": [{"index": 1, "delta": {"content": "c"}, "finish_reason": "length"}]})") +
                             event(R"({"choices": [{"index": 0, "delta": {"content": "d"}, "finish_reason": "stop"}]})") + done);
    REQUIRE(out.response);
    REQUIRE(out.response->candidates.size() == 2);
    CHECK(out.response->candidates[0].content.text() == "ad");
    CHECK(out.response->candidates[1].content.text() == "bc");
    CHECK(out.response->candidates[1].finish == ai::finish_reason::length);
    CHECK(out.text == "a|d|");
}

TEST_CASE("a content that is a list of parts is joined and goes back as a list") {
    const outcome out = read(delta(R"("content": [{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]}])") +
                             delta(R"("content": [{"type": "text", "text": "a"}])") + delta(R"("content": "b")") + finish("stop") + done);
    CHECK(out.text == "a|b|");
    CHECK(out.thoughts == "t|");
    CHECK(first(out).content.text() == "ab");
    CHECK(first(out).content.wire->body["content"].size() == 2);
}
