#include "gemini/stream_reader.hpp"

#include <pyaichat/gemini/codec.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;

namespace stream_reader_tests {
using ai::json;

namespace {

const codec::advice names = {.model = "gemini-9", .key_variable = "MY_KEY", .model_variable = "MY_MODEL", .secret = "secret-key"};

struct outcome {
    ai::result<ai::model_response> response = ai::failure();
    std::string text = {};      ///< as it was shown, pieces separated by |
    std::string thoughts = {};  ///< likewise
};

outcome read(const std::string& body, std::size_t piece = std::string::npos, std::size_t limit = 1 << 20) {
    outcome out;
    const ai::delta_sink sink([&out](ai::delta_sink::kind what, std::string_view text) {
        (what == ai::delta_sink::kind::thought ? out.thoughts : out.text).append(text).append("|");
    });
    codec::stream_reader reader(sink, "gemini-3", names, limit);
    for (std::size_t at = 0; at < body.size(); at += std::min(piece, body.size())) {
        if (!reader.feed(std::string_view(body).substr(at, piece))) {
            break;
        }
    }
    out.response = reader.finish();
    return out;
}

std::string events(const std::vector<std::string>& chunks, const std::string& line_end = "\r\n") {
    std::string out;
    for (const std::string& chunk : chunks) {
        out += "data: " + chunk + line_end + line_end;
    }
    return out;
}

/// A chunk with these parts.
std::string chunk(const std::string& parts, const std::string& more = "") {
    return R"({"candidates": [{"content": {"parts": [)" + parts + R"(], "role": "model"})" + more + R"(, "index": 0}]})";
}
const std::string stop = R"(, "finishReason": "STOP")";

const ai::candidate& first(const outcome& from) {
    if (!from.response) {
        FAIL(from.response.error().message);
    }
    REQUIRE_FALSE(from.response->candidates.empty());
    return from.response->candidates.front();
}

json wire_parts(const outcome& from) {
    const json& body = first(from).content.wire->body;
    return body.contains("parts") ? body["parts"] : json();
}

ai::failure error_of(const std::string& body, std::size_t piece = std::string::npos) {
    const outcome got = read(body, piece);
    REQUIRE_FALSE(got.response);
    return got.response.error();
}

const std::vector<std::string> two_calls = {
    R"({"candidates": [{"content": {"parts": [{"functionCall": {"name": "get_weather","args": {"city": "Paris"},"id": "fc-0001"},"thoughtSignature": "c2lnbmF0dXJlLW9uZQ=="}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 120,"candidatesTokenCount": 16,"totalTokenCount": 194,"thoughtsTokenCount": 58},"modelVersion": "gemini-3.8-flash","responseId": "r-1"})",
    R"({"candidates": [{"content": {"parts": [{"functionCall": {"name": "get_local_time","args": {"city": "Tokyo"},"id": "fc-0002"}}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 120,"candidatesTokenCount": 32,"totalTokenCount": 210,"thoughtsTokenCount": 58},"modelVersion": "gemini-3.8-flash","responseId": "r-1"})",
    R"({"candidates": [{"content": {"parts": [{"text": ""}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 120,"candidatesTokenCount": 32,"totalTokenCount": 210,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 120}],"thoughtsTokenCount": 58},"modelVersion": "gemini-3.8-flash","responseId": "r-1"})",
};
const std::vector<std::string> signed_text = {
    R"({"candidates": [{"content": {"parts": [{"text": "Paris 18.5 °C, "}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 210,"totalTokenCount": 210},"modelVersion": "gemini-3.8-flash"})",
    R"({"candidates": [{"content": {"parts": [{"text": "clear. Tokyo 23:15."}],"role": "model"},"index": 0}],"modelVersion": "gemini-3.8-flash"})",
    R"({"candidates": [{"content": {"parts": [{"text": "","thoughtSignature": "c2lnbmF0dXJlLXR3bw=="}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 210,"candidatesTokenCount": 14,"totalTokenCount": 224},"modelVersion": "gemini-3.8-flash"})",
};

}  // namespace

TEST_CASE("calls of several chunks are one content, and the empty text behind them is left out") {
    const outcome got = read(events(two_calls));
    CHECK(wire_parts(got) == support::parsed(R"([
        {"functionCall": {"id": "fc-0001", "name": "get_weather", "args": {"city": "Paris"}}, "thoughtSignature": "c2lnbmF0dXJlLW9uZQ=="},
        {"functionCall": {"id": "fc-0002", "name": "get_local_time", "args": {"city": "Tokyo"}}}])"));
    CHECK(first(got).content.wire->body["role"] == "model");
    CHECK(first(got).content.wire->provider == "gemini-3");
    REQUIRE(first(got).content.parts.size() == 2);
    CHECK(first(got).content.parts[1].as<ai::call_part>()->id == "fc-0002");
    CHECK(first(got).finish == ai::finish_reason::stop);
    CHECK(got.response->usage == ai::token_usage{.input_tokens = 120, .output_tokens = 90, .thought_tokens = 58});
    CHECK(got.response->model == "gemini-3.8-flash");
    CHECK(got.text.empty());
}

TEST_CASE("deltas are one text, with the signature in a part of its own, wherever the bytes are split and lines end") {
    for (const char* line_end : {"\r\n", "\n", "\r"}) {
        for (const bool blank_at_end : {true, false}) {
            std::string body = events(signed_text, line_end);
            if (!blank_at_end) {
                body.resize(body.size() - 2 * std::string(line_end).size());
            }
            for (std::size_t piece = 1; piece < 80; ++piece) {
                const outcome got = read(body, piece);
                CHECK(wire_parts(got) ==
                      support::parsed(
                          R"([{"text": "Paris 18.5 °C, clear. Tokyo 23:15."}, {"text": "", "thoughtSignature": "c2lnbmF0dXJlLXR3bw=="}])"));
                CHECK(got.text == "Paris 18.5 °C, |clear. Tokyo 23:15.|");
                CHECK(got.response->usage == ai::token_usage{.input_tokens = 210, .output_tokens = 14});
            }
        }
    }
}

TEST_CASE("only plain texts of one kind are joined, and everything else is kept as it came") {
    const outcome got = read(events({chunk(R"({"text": "Hm", "thought": true}, {"text": ", so.", "thought": true})"),
                                     chunk(R"({"text": "One"}, {"text": " two", "thought": false}, {"text": " three", "novel": 1})"),
                                     chunk(R"({"text": " four"}, {"text": " five", "thoughtSignature": "YQ=="}, {"text": " six"})"),
                                     chunk(R"({}, {"executableCode": {"code": "1"}}, {"text": ""}, {"text": " seven"}, 5)", stop)}));
    CHECK(wire_parts(got) == support::parsed(R"([{"text": "Hm, so.", "thought": true}, {"text": "One two"}, {"text": " three", "novel": 1},
        {"text": " four"}, {"text": " five", "thoughtSignature": "YQ=="}, {"text": " six"}, {}, {"executableCode": {"code": "1"}},
        {"text": " seven"}, 5])"));
    CHECK(got.thoughts == "Hm|, so.|");
    CHECK(got.text == "One| two| three| four| five| six| seven|");
    CHECK(first(got).content.text() == "One two three four five six seven");
}

TEST_CASE("a response in one chunk is the response that the unary call would have given") {
    const std::string whole = R"({"candidates": [{"content": {"role": "model", "novel": {"a": 1}, "parts": [
        {"text": "thinking", "thought": true}, {"text": "Let me see."}, {"functionCall": {"id": "fc-1", "name": "f", "args": {"x": 1.5}},
        "thoughtSignature": "c2ln"}, {"functionCall": {"name": "g"}}]}, "finishReason": "NOVEL", "finishMessage": "why", "index": 0}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4}, "modelVersion": "m"})";
    std::string line = ai::dump_json(support::parsed(whole));
    const auto unary = codec::decode_response(support::parsed(whole));
    REQUIRE(unary);
    for (const std::string& body : {events({line}), line, whole, "[" + whole + "]"}) {
        const outcome got = read(body);
        CHECK(first(got).content.wire->body == unary->candidates[0].content.wire->body);
        CHECK(first(got).content.parts.size() == 4);
        CHECK(first(got).finish == ai::finish_reason::unknown);
        CHECK(first(got).finish_text == "NOVEL");
        CHECK(first(got).finish_message == "why");
        CHECK(got.response->usage == unary->usage);
        CHECK(got.response->model == "m");
    }
}

TEST_CASE("candidates are told apart by their index, and only the first is shown") {
    const outcome got =
        read(events({R"({"candidates": [{"content": {"parts": [{"text": "a"}]}}, {"index": 1, "content": {"parts": [{"text": "x"}]}}]})",
                     R"({"candidates": [{"index": 1, "content": {"parts": [{"text": "y"}]}, "finishReason": "SAFETY"}]})",
                     R"({"candidates": [{"content": {"parts": [{"text": "b"}]}, "finishReason": "STOP"}]})"}));
    REQUIRE(got.response);
    REQUIRE(got.response->candidates.size() == 2);
    CHECK(got.response->candidates[0].content.text() == "ab");
    CHECK(got.response->candidates[1].content.text() == "xy");
    CHECK(got.response->candidates[1].finish == ai::finish_reason::blocked);
    CHECK(got.text == "a|b|");
}

TEST_CASE("the last chunk may look like anything that the service sends") {
    for (const char* last :
         {R"({"candidates": [{"finishReason": "STOP"}]})", R"({"candidates": [{"content": {}, "finishReason": "STOP", "index": 0}]})",
          R"({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]})",
          R"({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}]})",
          R"({"candidates": [{"content": null, "finishReason": "STOP"}], "usageMetadata": null})"}) {
        CAPTURE(last);
        const outcome got = read(events({chunk(R"({"text": "a"})"), last}));
        CHECK(wire_parts(got) == support::parsed(R"([{"text": "a"}])"));
        CHECK(first(got).finish == ai::finish_reason::stop);
    }
}

TEST_CASE("the last finish reason counts, as old models send one with every chunk") {
    const outcome got = read(events({chunk(R"({"text": "a"})", stop), chunk(R"({"text": "b"})", R"(, "finishReason": "MAX_TOKENS")")}));
    CHECK(first(got).content.text() == "ab");
    CHECK(first(got).finish == ai::finish_reason::length);
}

TEST_CASE("a stream without a finish reason was interrupted, calls or not") {
    for (const std::string& body :
         {std::string(), std::string("\r\n\r\n"), events({chunk(R"({"text": "a"})")}), events({two_calls[0], two_calls[1]}),
          events(two_calls).substr(0, 900), "[" + chunk(R"({"text": "a"})") + "]"}) {
        const ai::failure error = error_of(body);
        CHECK(error.code == ai::errc::connection_failed);
        CHECK(error.hint == "The service's response was cut off.");
    }
}

TEST_CASE("a blocked prompt and a stream without candidates are what the unary call makes of them") {
    const outcome blocked =
        read(events({R"({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 5}})"}));
    REQUIRE(blocked.response);
    CHECK(blocked.response->prompt_block == "PROHIBITED_CONTENT");
    CHECK(blocked.response->usage.input_tokens == 5);
    const outcome empty = read(events({R"({"usageMetadata": {"promptTokenCount": 5}})"}));
    REQUIRE(empty.response);
    CHECK(empty.response->candidates.empty());
}

TEST_CASE("a blocked prompt is told although an empty candidate comes with it") {
    const outcome blocked = read(events({R"({"candidates": [{"index": 0}], "promptFeedback": {"blockReason": "SAFETY"}})"}));
    REQUIRE(blocked.response);
    CHECK(blocked.response->prompt_block == "SAFETY");
}

TEST_CASE("a block behind good chunks is reported with what came before it") {
    const outcome got = read(events({chunk(R"({"text": "a"})"), R"({"candidates": [{"finishReason": "RECITATION"}]})"}));
    CHECK(first(got).finish == ai::finish_reason::blocked);
    CHECK(first(got).finish_text == "RECITATION");
}

TEST_CASE("an error in the stream is that error, in either form, at any place") {
    const std::string error = R"({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}})";
    const std::string bare =
        "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": "
        "\"UNAVAILABLE\"\n  }\n}\n";
    const std::string good = events({chunk(R"({"text": "a"})")});
    for (const std::string& body : {good + events({error}), good + bare, good + "[" + bare + "]", events({error}), bare, "[" + error + "]",
                                    good + events({"[" + error + "]"}), events({chunk(R"({"text": "a"})", stop)}) + bare,
                                    good + events({R"({"error": {"message": "The model is overloaded.", "status": "UNAVAILABLE"}})"})}) {
        CAPTURE(body);
        for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{13}}) {
            const ai::failure got = error_of(body, piece);
            CHECK(got.code == ai::errc::unavailable);
            CHECK(got.message == "HTTP 503 UNAVAILABLE: The model is overloaded.");
            CHECK(got.hint == "The service is overloaded; try again shortly.");
        }
    }
    CHECK(error_of(good + events({R"({"error": {"code": 429, "message": "Please retry in 3s.", "status": "RESOURCE_EXHAUSTED"}})"}))
              .retry_after == std::chrono::seconds(3));
}

TEST_CASE("what cannot be read is a bad response that shows its beginning and no key") {
    for (const std::string& body :
         {std::string("<html>secret-key</html>"), events({"no JSON, secret-key"}), std::string("Welcome, secret-key"),
          std::string("{\"candidates\": [ secret-key"), events({"5"}), events({"[]"}), std::string("[]"), std::string("null"),
          events({R"({"foo": "secret-key"})"}), std::string("<" + std::string(100'000, 'x'))}) {
        const ai::failure error = error_of(body);
        CHECK(error.code == ai::errc::bad_response);
        CHECK(error.hint == "The service sent a response that cannot be read.");
        CHECK(error.message.find("secret-key") == std::string::npos);
        CHECK(error.message.size() < 400);
    }
    CHECK(error_of(events({std::string(500, '[')})).code == ai::errc::bad_response);
}

TEST_CASE("comments, other fields and the word that ends the streams of proxies are passed over") {
    const outcome got =
        read(": hello\n\nevent: message\nid: 1\n" + events({chunk(R"({"text": "a"})", stop)}, "\n") + "retry: 5\n\ndata: [DONE]\n\n");
    CHECK(first(got).content.text() == "a");
}

TEST_CASE("a stream over the limit is refused, and nothing of it is taken any more") {
    const std::string body = events({chunk(R"({"text": ")" + std::string(2000, 'a') + R"("})"), chunk(R"({"text": "b"})", stop)});
    for (const std::size_t limit : {std::size_t{100}, body.size() - 1}) {
        const outcome got = read(body, 64, limit);
        REQUIRE_FALSE(got.response);
        CHECK(got.response.error().code == ai::errc::too_large);
    }
    CHECK(read(body, 64, body.size()).response);
}

TEST_CASE("streamed arguments, which were never asked for, are not taken for empty ones") {
    const outcome got = read(events({chunk(R"({"functionCall": {"name": "f", "willContinue": true}})"),
                                     chunk(R"({"functionCall": {"partialArgs": [{"jsonPath": "$.a", "stringValue": "b"}]}})"),
                                     chunk(R"({"functionCall": {}})", stop)}));
    REQUIRE(first(got).content.parts.size() == 3);
    CHECK_FALSE(first(got).content.parts[1].as<ai::call_part>()->arguments.is_object());
}

TEST_CASE("an error that is cut in its middle is an interruption, although a finish reason has come") {
    const std::string good = events({chunk(R"({"text": "a"})", stop)});
    CHECK(error_of(good + "{\n  \"error\": {\n    \"code\": 503,\n").code == ai::errc::connection_failed);
    CHECK(error_of(good + "[{\"error\": {").code == ai::errc::connection_failed);
    CHECK(error_of(good + "[{\"error\": {\"code\": 503}}]").code == ai::errc::unavailable);
    CHECK(read(good + "novel: {\n").response);
}

TEST_CASE("an array of chunks may end with an error") {
    const std::string good = chunk(R"({"text": "a"})", stop);
    CHECK(error_of("[" + good + R"(, {"error": {"code": "429", "status": "RESOURCE_EXHAUSTED", "message": "Slow down."}}])").code ==
          ai::errc::rate_limited);
    CHECK(error_of("[" + good + ", ").code == ai::errc::bad_response);
}

}  // namespace stream_reader_tests
