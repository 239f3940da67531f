#include "anthropic/stream_reader.hpp"

#include "canned.hpp"
#include "core/surrogates.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::anthropic_codec;
using ai::json;

namespace {

const codec::advice hints{{.model = "m", .key_variable = "MY_KEY", .model_variable = "MY_MODEL", .secret = "secret-key"}, "MY_URL"};

struct outcome {
    ai::result<ai::model_response> response = ai::failure();
    std::string shown = {};  ///< texts, thoughts in parentheses, "!" for a restart
};

outcome read(const std::string& body, std::size_t piece = std::string::npos, std::size_t limit = 1 << 20) {
    outcome out;
    const ai::delta_sink sink([&out](ai::delta_sink::kind what, std::string_view text) {
        out.shown += what == ai::delta_sink::kind::thought   ? "(" + std::string(text) + ")"
                     : what == ai::delta_sink::kind::restart ? "!"
                                                             : std::string(text);
    });
    codec::stream_reader reader(sink, {.writer = "w", .prefix = 1}, hints, limit);
    for (std::size_t at = 0; at < body.size(); at += std::min(piece, body.size())) {
        if (!reader.feed(std::string_view(body).substr(at, piece))) {
            break;
        }
    }
    out.response = reader.finish();
    return out;
}

const std::string start =
    R"({"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":612,"output_tokens":1}}})";
const std::string stop = R"({"type":"message_stop"})";

std::string block(int index, const std::string& content) {
    return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + content + "}";
}
std::string delta(int index, const std::string& content) {
    return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + content + "}";
}
std::string block_stop(int index) {
    return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}
std::string finish(const std::string& reason, const std::string& usage = R"({"output_tokens":48})") {
    return R"({"type":"message_delta","delta":{"stop_reason":")" + reason + R"(","stop_sequence":null},"usage":)" + usage + "}";
}
const std::string text_start = R"({"type":"text","text":""})";
std::string text_delta(const std::string& text) {
    return R"({"type":"text_delta","text":")" + text + R"("})";
}
const std::string call_start = R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}})";
std::string input_delta(const std::string& escaped) {
    return R"({"type":"input_json_delta","partial_json":")" + escaped + R"("})";
}

const ai::call_part& only_call(const outcome& from) {
    REQUIRE(from.response);
    const auto& parts = from.response->candidates.front().content.parts;
    REQUIRE(parts.size() == 1);
    REQUIRE(parts.front().as<ai::call_part>() != nullptr);
    return *parts.front().as<ai::call_part>();
}

}  // namespace

TEST_CASE("thinking, text and a call are assembled as the service would have sent them as a whole, however the bytes are cut") {
    const std::string body = events({start,
                                     R"({"type":"ping"})",
                                     block(0, R"({"type":"thinking","thinking":"","signature":""})"),
                                     delta(0, R"({"type":"thinking_delta","thinking":"H\u00e4"})"),
                                     delta(0, R"({"type":"thinking_delta","thinking":"m."})"),
                                     delta(0, R"({"type":"signature_delta","signature":"EvQB"})"),
                                     block_stop(0),
                                     block(1, text_start),
                                     delta(1, text_delta("Gr")),
                                     delta(1, text_delta("üße")),
                                     delta(1, R"({"type":"a_new_delta","x":1})"),
                                     block_stop(1),
                                     R"({"type":"a_new_event"})",
                                     block(2, call_start),
                                     delta(2, input_delta("")),
                                     delta(2, input_delta(R"({\"city\": \"Z\\u00)")),
                                     delta(2, input_delta(R"(fcrich\"})")),
                                     block_stop(2),
                                     finish("tool_use"),
                                     stop});
    for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
        const outcome out = read(body, piece);
        REQUIRE(out.response);
        CHECK(out.shown == "(Hä)(m.)Grüße");
        const ai::candidate& one = out.response->candidates.front();
        CHECK(one.finish == ai::finish_reason::stop);
        CHECK(one.content.wire->provider == "w");
        CHECK(one.content.wire->body["content"] == *ai::parse_json(R"([{"type":"thinking","thinking":"Häm.","signature":"EvQB"},
            {"type":"text","text":"Grüße"},{"type":"tool_use","id":"toolu_1","name":"f","input":{"city":"Zürich"}}])"));
        CHECK(out.response->usage.input_tokens == 612);
        CHECK(out.response->usage.output_tokens == 48);
        CHECK(out.response->model == "m");
    }
}

TEST_CASE("the arguments of a call may come in pieces, in its start event, or not at all") {
    CHECK(only_call(read(events({start, block(0, call_start), block_stop(0), finish("tool_use"), stop}))).arguments == json::object());
    CHECK(only_call(read(events({start, block(0, R"({"type":"tool_use","id":"t","name":"f","input":""})"), delta(0, input_delta(" ")),
                                 finish("tool_use"), stop})))
              .arguments == json::object());
    CHECK(only_call(read(events({start, block(0, R"({"type":"tool_use","id":"t","name":"f","input":{"x":1}})"), block_stop(0),
                                 finish("tool_use"), stop})))
              .arguments["x"] == 1);
    CHECK(
        only_call(read(events({start, block(0, call_start), delta(0, input_delta(R"({\"x\":2})")), finish("tool_use")}))).arguments["x"] ==
        2);
}

TEST_CASE("arguments that are not a JSON object stay as they are, for the loop to refuse") {
    CHECK(only_call(read(events({start, block(0, call_start), delta(0, input_delta("{x: 1}")), block_stop(0), finish("tool_use"), stop})))
              .arguments == "{x: 1}");
    CHECK(only_call(read(events({start, block(0, call_start), delta(0, input_delta("[1]")), block_stop(0), finish("tool_use"), stop})))
              .arguments == "[1]");
    const std::string deep = std::string(300, '[') + std::string(300, ']');
    const auto call = only_call(read(
        events({start, block(0, call_start), delta(0, input_delta(R"({\"x\":)" + deep + "}")), block_stop(0), finish("tool_use"), stop})));
    CHECK(call.arguments.is_string());
}

TEST_CASE("a signature comes whole, and the last one counts") {
    const auto signature = [](std::initializer_list<const char*> pieces) {
        std::vector<std::string> all = {start, block(0, R"({"type":"thinking","thinking":"","signature":""})")};
        for (const char* piece : pieces) {
            all.push_back(delta(0, R"({"type":"signature_delta","signature":")" + std::string(piece) + R"("})"));
        }
        all.insert(all.end(), {block_stop(0), finish("end_turn"), stop});
        std::string body;
        for (const std::string& one : all) {
            body += events({one});
        }
        const outcome out = read(body);
        REQUIRE(out.response);
        return std::string(*ai::string_member(out.response->candidates.front().content.wire->body["content"][0], "signature"));
    };
    CHECK(signature({"EvQB"}) == "EvQB");
    CHECK(signature({"old", "EvQB"}) == "EvQB");
    CHECK(signature({"EvQB", "EvQB"}) == "EvQB");
}

TEST_CASE("a surrogate pair that was split is joined, and a half in thinking is kept for the way back") {
    const outcome out =
        read(events({start, block(0, R"({"type":"thinking","thinking":"","signature":""})"),
                     delta(0, R"({"type":"thinking_delta","thinking":"a\ud83d"})"),
                     delta(0, R"({"type":"thinking_delta","thinking":"\ude00b\ud83dc"})"), block_stop(0),
                     block(1, R"({"type":"text","text":""})"), delta(1, R"({"type":"text_delta","text":"\ud83d"})"),
                     delta(1, R"({"type":"text_delta","text":"\ude00 \ude00"})"), block_stop(1), finish("end_turn"), stop}));
    REQUIRE(out.response);
    const ai::message& content = out.response->candidates.front().content;
    CHECK(content.text() == "\xF0\x9F\x98\x80 \xEF\xBF\xBD");
    CHECK(content.parts.front().as<ai::thought_part>()->text ==
          "a\xF0\x9F\x98\x80"
          "b\xEF\xBF\xBD"
          "c");
    std::string sent = ai::dump_json(content.wire->body["content"][0]["thinking"]);
    ai::detail::escape_surrogates(sent, 0);
    CHECK(sent ==
          "\"a\xF0\x9F\x98\x80"
          "b\\ud83dc\"");
}

TEST_CASE("a stream that is cut at any byte before its stop reason is interrupted, and what was shown is withdrawn") {
    const std::string body = events({start, block(0, text_start), delta(0, text_delta("\\u00e9a")), block_stop(0), block(1, call_start),
                                     delta(1, input_delta(R"({\"x\":2})")), block_stop(1), finish("tool_use")});
    const std::size_t whole = body.find("\n", body.find("message_delta", body.find("data: {\"type\":\"message_delta\"")));
    for (std::size_t length = 0; length < whole; ++length) {
        CAPTURE(length);
        const outcome out = read(body.substr(0, length));
        REQUIRE_FALSE(out.response);
        CHECK(out.response.error().code == ai::errc::connection_failed);
        CHECK((out.shown.empty() || out.shown.ends_with('!')));
    }
    CHECK(read(body).response);
}

TEST_CASE("a message is whole with its end or its stop reason, and interrupted without both") {
    CHECK(read(events({start, block(0, text_start), delta(0, text_delta("hi")), finish("end_turn")})).response);
    CHECK(read(events({start, block(0, text_start), delta(0, text_delta("hi")), block_stop(0), stop})).response);
    const outcome cut = read(events({start, block(0, text_start), delta(0, text_delta("hi")), block_stop(0)}));
    REQUIRE_FALSE(cut.response);
    CHECK(cut.response.error().code == ai::errc::connection_failed);
    CHECK(cut.shown == "hi!");
    CHECK(read(events({R"({"type":"ping"})"})).response.error().code == ai::errc::connection_failed);
    CHECK(read("").response.error().code == ai::errc::connection_failed);
}

TEST_CASE("events after the end are ignored") {
    const outcome out = read(events({start, block(0, text_start), delta(0, text_delta("hi")), finish("end_turn"), stop, start,
                                     block(0, text_start), delta(0, text_delta("again"))}));
    REQUIRE(out.response);
    CHECK(out.response->candidates.front().content.text() == "hi");
}

TEST_CASE("a second start withdraws what was shown, and the second message counts") {
    const outcome out = read(events({start, block(0, text_start), delta(0, text_delta("one")), start, block(0, text_start),
                                     delta(0, text_delta("two")), block_stop(0), finish("end_turn"), stop}));
    REQUIRE(out.response);
    CHECK(out.shown == "one!two");
    CHECK(out.response->candidates.front().content.text() == "two");
}

TEST_CASE("an index that is used again begins another block, and a missing start is no loss") {
    const outcome out = read(events({start, block(0, text_start), delta(0, text_delta("a")), block_stop(0), block(0, text_start),
                                     delta(0, text_delta("b")), block_stop(0), delta(3, text_delta("c")), finish("end_turn"), stop}));
    REQUIRE(out.response);
    CHECK(out.response->candidates.front().content.parts.size() == 3);
    CHECK(out.response->candidates.front().content.text() == "abc");
}

TEST_CASE("counts in the end are cumulative and replace the earlier ones") {
    const outcome out =
        read(events({start, finish("end_turn", R"({"input_tokens":700,"output_tokens":9,"cache_read_input_tokens":null})"), stop}));
    REQUIRE(out.response);
    CHECK(out.response->usage == ai::token_usage{.input_tokens = 700, .output_tokens = 9});
}

TEST_CASE("an error in the stream is that error, with what was shown withdrawn") {
    const outcome out =
        read(events({start, block(0, text_start), delta(0, text_delta("par")),
                     R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded secret-key"},"request_id":"req_1"})"}));
    REQUIRE_FALSE(out.response);
    CHECK(out.response.error().code == ai::errc::unavailable);
    CHECK(out.shown == "par!");
    CHECK(read("event: error\ndata: {\"message\":\"odd\"}\n\n").response.error().message.find("odd") != std::string::npos);
    const outcome filtered =
        read(events({start, R"({"type":"error","error":{"type":"invalid_request_error","message":"Output blocked"}})"}));
    CHECK(filtered.response.error().code == ai::errc::request_rejected);
}

TEST_CASE("a message as a whole is read where a stream was expected") {
    const outcome out = read(reply(R"({"type":"text","text":"whole"})"), 5);
    REQUIRE(out.response);
    CHECK(out.shown == "whole");
    CHECK(out.response->candidates.front().content.text() == "whole");
}

TEST_CASE("what is not JSON, not an event or too long fails") {
    CHECK(read("<html></html>").response.error().code == ai::errc::bad_response);
    CHECK(read("data: {\n\n").response.error().code == ai::errc::bad_response);
    CHECK(read("data: [1]\n\n").response.error().code == ai::errc::bad_response);
    CHECK(read("data: 1\n\n").response.error().code == ai::errc::bad_response);
    CHECK(read(events({start, block(0, text_start), delta(0, text_delta(std::string(2000, 'x')))}), 100, 1000).response.error().code ==
          ai::errc::too_large);
}
