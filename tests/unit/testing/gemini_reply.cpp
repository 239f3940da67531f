#include <pyaichat/testing/gemini_reply.hpp>

#include "catch.hpp"
#include "testing/gemini_emulator/gemini_renderer.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

const fake::gemini_render_options unary;
const fake::gemini_render_options events = {.streamed = true, .events = true};
const fake::gemini_render_options array = {.streamed = true};

/// All bytes of an answer; blanks that are made while sending included.
std::string bytes_of(const fake::loopback_reply& reply) {
    std::string out = reply.bytes;
    for (const fake::loopback_write& one : reply.rest) {
        out += one.bytes + std::string(one.blanks, ' ');
    }
    return out;
}

std::string bytes_of(const fake::gemini_reply& reply, const fake::gemini_render_options& occasion) {
    return bytes_of(fake::gemini_renderer(reply, occasion).wire());
}

std::vector<json> documents_of(const fake::gemini_reply& reply, const fake::gemini_render_options& occasion) {
    return fake::gemini_renderer(reply, occasion).documents();
}

/// The body of an answer, taken out of its chunks.
std::string body_of(const fake::gemini_reply& reply, const fake::gemini_render_options& occasion) {
    const std::string bytes = bytes_of(reply, occasion);
    const std::size_t head = bytes.find("\r\n\r\n") + 4;
    if (bytes.find("Transfer-Encoding: chunked\r\n") == std::string::npos) {
        return bytes.substr(head);
    }
    std::string out;
    for (std::size_t at = head; at < bytes.size();) {
        const std::size_t size = std::stoul(bytes.substr(at), nullptr, 16);
        const std::size_t begin = bytes.find("\r\n", at) + 2;
        out += bytes.substr(begin, size);
        at = begin + size + 2;
    }
    return out;
}

json parts_of(const json& document) {
    const json* content = ai::find_member(document["candidates"][0], "content");
    const json* parts = content == nullptr ? nullptr : ai::find_member(*content, "parts");
    return parts == nullptr ? json() : *parts;
}

json parse(const char* text) {
    return *ai::parse_json(text);
}

}  // namespace

TEST_CASE("one reply is a document, a stream of events, or an array, as it is asked for") {
    const auto reply = fake::gemini_reply::deltas({"Hel", "lo."}, "c2lnbmF0dXJl");
    const std::string whole = bytes_of(reply, unary);
    CHECK(whole.find("HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ") == 0);
    CHECK(parts_of(*ai::parse_json(body_of(reply, unary))) ==
          parse(R"([{"text": "Hello."}, {"text": "", "thoughtSignature": "c2lnbmF0dXJl"}])"));

    const std::string streamed = bytes_of(reply, events);
    CHECK(streamed.find("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Disposition: attachment\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n") == 0);
    CHECK(streamed.rfind("\r\n0\r\n\r\n") == streamed.size() - 7);
    const std::string body = body_of(reply, events);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = body.find("data: {", at)) != std::string::npos; ++at) {
        ++count;
        CHECK((at == 0 || body.substr(at - 4, 4) == "\r\n\r\n"));
    }
    CHECK(count == 3);
    CHECK(body.substr(body.size() - 4) == "\r\n\r\n");

    const auto listed = ai::parse_json(body_of(reply, array));
    REQUIRE(listed);
    REQUIRE(listed->size() == 3);
    CHECK(parts_of((*listed)[1]) == parse(R"([{"text": "lo."}])"));
}

TEST_CASE("the chunks of a stream share their envelope, count up their usage, and only the last one has a finish reason") {
    const std::vector<json> chunks = documents_of(fake::gemini_reply::deltas({"a", "b", "c", "d"}), events);
    REQUIRE(chunks.size() == 4);
    for (std::size_t index = 0; index < 4; ++index) {
        CAPTURE(index);
        CHECK(chunks[index]["responseId"] == chunks[0]["responseId"]);
        CHECK(chunks[index]["modelVersion"] == "gemini-3.8-flash");
        CHECK(chunks[index]["usageMetadata"]["candidatesTokenCount"] == 8 * (index + 1));
        CHECK(chunks[index]["candidates"][0].contains("finishReason") == (index == 3));
    }
    const std::vector<json> old = documents_of(fake::gemini_reply::deltas({"a", "b"}).finish_on_every_chunk(), events);
    CHECK(old[0]["candidates"][0]["finishReason"] == "STOP");
}

TEST_CASE("calls come in one chunk or in several, with or without ids, arguments and thoughts") {
    const auto calls = fake::gemini_reply::calls({{"fc-1", "f", parse(R"({"x": 1})")}, {"", "g", nullptr}}, "c2ln").thinking("Hm.");
    const json f = parse(R"({"functionCall": {"id": "fc-1", "name": "f", "args": {"x": 1}}, "thoughtSignature": "c2ln"})");
    const json g = parse(R"({"functionCall": {"name": "g"}})");
    const std::vector<json> two = documents_of(calls, events);
    REQUIRE(two.size() == 2);
    CHECK(parts_of(two[0]) == parse(R"([{"text": "Hm.", "thought": true}])"));
    CHECK(parts_of(two[1]) == json::array({f, g}));
    const std::vector<json> three = documents_of(fake::gemini_reply(calls).chunk_per_part(), events);
    REQUIRE(three.size() == 3);
    CHECK(parts_of(three[1]) == json::array({f}));
    CHECK(parts_of(three[2]) == json::array({g}));
    CHECK(parts_of(documents_of(calls, unary)[0]).size() == 3);
    const fake::gemini_render_options old = {.call_ids = false};
    CHECK_FALSE(parts_of(documents_of(calls, old)[0])[1]["functionCall"].contains("id"));
}

TEST_CASE("a stream ends in any of the forms that occur") {
    using form = fake::gemini_last_chunk;
    const std::vector<std::pair<form, const char*>> forms = {
        {form::empty_text, R"({"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": "STOP", "index": 0})"},
        {form::empty_part, R"({"content": {"parts": [{}], "role": "model"}, "finishReason": "STOP", "index": 0})"},
        {form::role_only, R"({"content": {"role": "model"}, "finishReason": "STOP", "index": 0})"},
        {form::empty_content, R"({"content": {}, "finishReason": "STOP", "index": 0})"},
        {form::no_content, R"({"finishReason": "STOP", "index": 0})"},
    };
    for (const auto& [how, expected] : forms) {
        CAPTURE(expected);
        const std::vector<json> chunks = documents_of(fake::gemini_reply::text("x").last_chunk(how), events);
        REQUIRE(chunks.size() == 2);
        CHECK(chunks[1]["candidates"][0] == parse(expected));
    }
    CHECK(documents_of(fake::gemini_reply::text("x"), events).size() == 1);
    const std::vector<json> signed_at_the_end =
        documents_of(fake::gemini_reply::text("x").and_part(parse(R"({"thoughtSignature": "c2ln"})")), events);
    CHECK(parts_of(signed_at_the_end[1]) == parse(R"([{"thoughtSignature": "c2ln"}])"));
    CHECK(signed_at_the_end[1]["candidates"][0]["finishReason"] == "STOP");
    const std::vector<json> cut = documents_of(fake::gemini_reply::text("x").without_finish(), events);
    CHECK_FALSE(cut[0]["candidates"][0].contains("finishReason"));
}

TEST_CASE("a reply without content has a finish reason only, or feedback on the prompt, or no candidates") {
    for (const auto& occasion : {unary, events}) {
        const json malformed = documents_of(fake::gemini_reply::finish("MALFORMED_FUNCTION_CALL", "bad"), occasion).front();
        CHECK(malformed["candidates"][0] == parse(R"({"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "bad", "index": 0})"));
        const json blocked = documents_of(fake::gemini_reply::prompt_block("SAFETY"), occasion).front();
        CHECK(blocked["promptFeedback"]["blockReason"] == "SAFETY");
        CHECK_FALSE(blocked.contains("candidates"));
        CHECK_FALSE(documents_of(fake::gemini_reply::text("x").without_candidates(), occasion).front().contains("candidates"));
        const json strange = documents_of(fake::gemini_reply::text("x").finishing("FROBNICATED").with_unknown_members(), occasion).front();
        CHECK(strange["candidates"][0]["finishReason"] == "FROBNICATED");
        CHECK(strange["candidates"][0].contains("emulatedExtra"));
        CHECK(strange["usageMetadata"].contains("emulatedExtra"));
        CHECK(strange["candidates"][0]["content"]["parts"][0].contains("partMetadata"));
        CHECK_FALSE(documents_of(fake::gemini_reply::text("x").usage(nullptr), occasion).front().contains("usageMetadata"));
    }
}

TEST_CASE("an error in mid-stream is an event or a bare object behind good chunks, and an ordinary error without a stream") {
    const auto event = fake::gemini_reply::deltas({"a", "b"}).then_error(503, "UNAVAILABLE", "Busy.");
    const auto bare = fake::gemini_reply::deltas({"a", "b"}).then_bare_error(503, "UNAVAILABLE", "Busy.");
    const std::string first = body_of(event, events);
    CHECK(first.find("finishReason") == std::string::npos);
    CHECK(first.find("data: {\"error\":{\"code\":503") != std::string::npos);
    const std::string second = body_of(bare, events);
    CHECK(second.find("\r\n\r\n{\n  \"error\": {\n") != std::string::npos);
    CHECK(second.find("finishReason") == std::string::npos);
    CHECK(bytes_of(event, unary).find("HTTP/1.1 503 Service Unavailable\r\n") == 0);
    CHECK(ai::parse_json(body_of(bare, array))->back().contains("error"));
}

TEST_CASE("errors have the bodies of the service, its front end and its proxies") {
    using reply = fake::gemini_reply;
    const auto error_of = [](const fake::gemini_reply& one) { return (*ai::parse_json(body_of(one, unary)))["error"]; };
    CHECK(error_of(reply::rate_limit("56s"))["details"][1]["retryDelay"] == "56s");
    CHECK(error_of(reply::rate_limit_in_text("539.47ms"))["message"].get<std::string>().ends_with("\nPlease retry in 539.47ms."));
    CHECK_FALSE(error_of(reply::rate_limit_in_text("1s")).contains("details"));
    CHECK(ai::dump_json(error_of(reply::daily_quota())).find("PerDay") != std::string::npos);
    CHECK(error_of(reply::overloaded())["status"] == "UNAVAILABLE");
    CHECK(bytes_of(reply::html_error(), unary).find("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html; charset=UTF-8\r\n") == 0);
    const auto missing = reply::error(404, "NOT_FOUND", "No.").header("Content-Type", "text/event-stream");
    CHECK(bytes_of(missing, events).find("HTTP/1.1 404 Not Found\r\nContent-Type: text/event-stream\r\nContent-Length: ") == 0);
    CHECK(body_of(missing, events).front() == '{');
    CHECK(body_of(reply::overloaded().in_array(), unary).find("[{\"error\":") == 0);
    CHECK(body_of(reply::overloaded(), array).find("[{\"error\":") == 0);
}

TEST_CASE("the lines of a stream end as wanted, and the last blank line can be missing") {
    for (const char* end : {"\r\n", "\n", "\r"}) {
        const std::string body = body_of(fake::gemini_reply::deltas({"a", "b"}).line_end(end), events);
        const std::string blank = std::string("}") + end + end;
        CHECK(body.find(blank + "data: ") != std::string::npos);
        CHECK(body.ends_with(blank));
        CHECK(body_of(fake::gemini_reply::text("a").line_end(end).without_last_blank_line(), events).back() == '}');
    }
}

TEST_CASE("a body can be cut anywhere and padded to any size, as a whole and in chunks") {
    const auto reply = fake::gemini_reply::text("Hello.");
    for (const auto& occasion : {unary, events}) {
        const std::string whole = body_of(reply, occasion);
        CHECK(body_of(fake::gemini_reply(reply).cut_after(17), occasion) == whole.substr(0, 17));
        const std::string padded = body_of(fake::gemini_reply(reply).padded_by(1000), occasion);
        CHECK(padded.size() == whole.size() + 1000);
        CHECK(padded.find("{     ") != std::string::npos);
    }
    CHECK(
        bytes_of(fake::gemini_reply(reply).cut_after(17), unary).find("Content-Length: " + std::to_string(body_of(reply, unary).size())) !=
        std::string::npos);
    CHECK_FALSE(bytes_of(fake::gemini_reply(reply).cut_after(17), events).ends_with("0\r\n\r\n"));
    const fake::loopback_reply huge = fake::gemini_renderer(fake::gemini_reply(reply).padded_by(std::size_t{2} << 30), unary).wire();
    REQUIRE_FALSE(huge.rest.empty());
    CHECK(huge.rest.front().blanks == std::size_t{2} << 30);
}

TEST_CASE("how a reply travels is kept apart from what it says") {
    const fake::loopback_reply drips = fake::gemini_renderer(fake::gemini_reply::text("x").byte_by_byte().after(3ms), unary).wire();
    CHECK(drips.piece == 1);
    CHECK(drips.pause == 0ms);
    CHECK(drips.delay == 3ms);
    const fake::loopback_reply paused = fake::gemini_renderer(fake::gemini_reply::deltas({"a", "b"}).chunk_pause(2ms), events).wire();
    CHECK(paused.piece == 0);
    CHECK(paused.pause == 2ms);
    CHECK(paused.rest.size() == 3);  // each event by itself, and the end
    CHECK(fake::gemini_renderer(fake::gemini_reply::text("x").then_close(), unary).wire().then == fake::loopback_reply::ending::close);
    CHECK(bytes_of(fake::gemini_reply::raw("nonsense"), events) == "nonsense");
}
