#include <pyaichat/testing/cassette.hpp>

#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/net/https.hpp>
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"
#include "testing/cassettes/cassette_difference.hpp"
#include "testing/cassettes/cassette_file.hpp"
#include "testing/cassettes/cassette_secrets.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

constexpr const char* key = "secret-key-0123456789";

/// A transport that answers from a list, for recordings without a socket.
struct canned_transport {
    struct answer {
        ai::result<ai::http_response> response;
        std::vector<std::string> pieces = {};
    };
    std::vector<answer> answers;
    std::size_t next = 0;

    ai::result<ai::http_response> send(const ai::http_request&, const ai::cancel_token&) { return answers[next++].response; }
    ai::result<ai::http_response> stream(const ai::http_request&, const ai::http_body_sink& sink, const ai::cancel_token&) {
        const answer& now = answers[next++];
        for (const std::string& one : now.pieces) {
            if (!sink(one)) {
                return ai::failure{.code = ai::errc::cancelled};
            }
        }
        return now.response;
    }
};
static_assert(ai::http_transport<canned_transport>);
static_assert(ai::http_transport<fake::cassette_recorder>);
static_assert(ai::http_transport<fake::cassette_player>);

ai::http_response response_of(int status, std::string body) {
    return {.status = status, .headers = {{"Content-Type", "application/json"}, {"Date", "today"}}, .body = std::move(body)};
}

ai::http_request request_of(std::string body, std::string url = "https://example.org/v1/x") {
    return {.url = std::move(url),
            .headers = {{"X-Goog-Api-Key", key}, {"User-Agent", "me/1"}, {"Content-Type", "application/json"}},
            .body = std::move(body)};
}

/// A file in a place of its own that goes with the test.
struct scratch {
    std::filesystem::path folder;
    std::string path;

    explicit scratch(const char* name) : folder(std::filesystem::temp_directory_path() / (std::string("pyaichat-cassette-") + name)) {
        std::filesystem::create_directories(folder);
        path = (folder / "tape.json").string();
    }
    ~scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    [[nodiscard]] std::string text() const {
        std::ostringstream out;
        out << std::ifstream(path).rdbuf();
        return out.str();
    }
};

struct collected {
    ai::result<ai::http_response> response = ai::failure{};
    std::vector<std::string> pieces = {};
};

template <class Transport>
collected stream(Transport& transport, const ai::http_request& request) {
    collected out;
    out.response = transport.stream(request,
                                    [&](std::string_view piece) {
                                        out.pieces.emplace_back(piece);
                                        return true;
                                    },
                                    {});
    return out;
}

}  // namespace

TEST_CASE("what was recorded is played: documents, pieces, errors and failures") {
    const scratch tape("all");
    {
        fake::cassette_recorder recorder(
            tape.path, canned_transport{{{response_of(200, R"({"a": 1})")},
                                         {response_of(200, ""), {"data: 1\r\n", "\r\ndata: \xC3", "\xA4\r\n\r\n"}},
                                         {response_of(429, "slow down")},
                                         {ai::failure{.code = ai::errc::connection_failed, .message = "cut"}, {"data: ha"}},
                                         {response_of(200, "\xFF\xFE\x01 bytes")}}});
        REQUIRE(recorder.send(request_of(R"({"q": 1})"), {}));
        CHECK(stream(recorder, request_of(R"({"q": 2})")).pieces.size() == 3);
        CHECK(stream(recorder, request_of(R"({"q": 3})")).response->body == "slow down");
        CHECK_FALSE(stream(recorder, request_of(R"({"q": 4})")).response);
        REQUIRE(recorder.send(request_of("no JSON"), {}));
    }
    fake::cassette_player player(tape.path);
    CHECK(player.left() == 5);
    const auto document = player.send(request_of(R"({ "q" : 1 })"), {});
    REQUIRE(document);
    CHECK(document->status == 200);
    CHECK(*ai::parse_json(document->body) == json::object({{"a", 1}}));
    REQUIRE(document->headers.size() == 1);
    CHECK(document->headers[0].value == "application/json");
    const collected pieces = stream(player, request_of(R"({"q": 2})"));
    REQUIRE(pieces.response);
    CHECK(pieces.response->body.empty());
    CHECK(pieces.pieces == std::vector<std::string>{"data: 1\r\n", "\r\ndata: \xC3", "\xA4\r\n\r\n"});
    const collected refused = stream(player, request_of(R"({"q": 3})"));
    CHECK(refused.response->status == 429);
    CHECK(refused.response->body == "slow down");
    CHECK(refused.pieces.empty());
    const collected cut = stream(player, request_of(R"({"q": 4})"));
    REQUIRE_FALSE(cut.response);
    CHECK(cut.response.error().code == ai::errc::connection_failed);
    CHECK(cut.response.error().message == "cut");
    CHECK(cut.pieces == std::vector<std::string>{"data: ha"});
    CHECK(player.send(request_of("no JSON"), {})->body == "\xFF\xFE\x01 bytes");
    CHECK(player.left() == 0);
}

TEST_CASE("a streamed recording can be asked for as a whole, and a whole one as a stream") {
    const scratch tape("forms");
    fake::cassette_recorder recorder(tape.path, canned_transport{{{response_of(200, ""), {"one ", "two"}}, {response_of(200, "whole")}}});
    CHECK(stream(recorder, request_of("1")).response);
    CHECK(recorder.send(request_of("2"), {}));
    fake::cassette_player player(tape.path);
    CHECK(player.send(request_of("1"), {})->body == "one two");
    CHECK(stream(player, request_of("2")).pieces == std::vector<std::string>{"whole"});
}

TEST_CASE("no secret reaches the file: not from headers, the URL, the bodies, or between two pieces") {
    const scratch tape("secrets");
    fake::cassette_recorder recorder(
        tape.path,
        canned_transport{{{response_of(200, std::string("{\"echo\": \"") + key + "\"}")},
                          {response_of(200, ""), {"data: secret-key-", "0123456789 and", " hunter22\r\n\r\n"}},
                          {ai::failure{.code = ai::errc::timeout, .message = std::string("asked with ") + key}}}},
        {.secrets = {"hunter22"}});
    ai::http_request request =
        request_of(std::string("{\"text\": \"my key is ") + key + "\"}", "https://example.org/x?key=url-secret&alt=sse");
    request.headers.push_back({"Authorization", "Bearer token-4711"});
    request.headers.push_back({"X-Note", "token-4711 and url-secret"});
    CHECK(recorder.send(request, {}));
    CHECK(stream(recorder, request_of("2")).pieces.size() == 3);
    CHECK_FALSE(recorder.send(request_of("3"), {}));
    const std::string text = tape.text();
    for (const char* secret : {key, "url-secret", "token-4711", "hunter22", "secret-key", "0123456789"}) {
        CAPTURE(secret, text);
        CHECK(text.find(secret) == std::string::npos);
    }
    CHECK(text.find("\"x-goog-api-key\": \"***\"") != std::string::npos);
    CHECK(text.find("https://example.org/x?key=***&alt=sse") != std::string::npos);
    CHECK(text.find("user-agent") == std::string::npos);
    fake::cassette_player player(tape.path);
    CHECK(player.send(request, {}));  // the same request, whose secrets are taken out alike
    CHECK(stream(player, request_of("2")).pieces == std::vector<std::string>{"data: ***", " and", " ***\r\n\r\n"});
}

TEST_CASE("a request without a recording fails with the nearest one and the first difference") {
    const scratch tape("miss");
    fake::cassette_recorder recorder(tape.path, canned_transport{{{response_of(200, "{}")}, {response_of(200, "{}")}}});
    CHECK(recorder.send(request_of(R"({"contents": [{"parts": [{"text": "open?"}]}], "a/b": {"c~d": 1}})"), {}));
    CHECK(recorder.send(request_of(R"({"contents": []})", "https://example.org/other"), {}));
    fake::cassette_player player(tape.path);
    const auto miss = [&](const ai::http_request& request) {
        const auto response = player.send(request, {});
        REQUIRE_FALSE(response);
        CHECK(response.error().code == ai::errc::not_found);
        const std::string start = "the cassette " + tape.path + " has no recording of ";
        CHECK(response.error().message.rfind(start, 0) == 0);
        return response.error().message.substr(start.size());
    };
    CHECK(miss(request_of(R"({"contents": [{"parts": [{"text": "closed?"}]}], "a/b": {"c~d": 1}})")) ==
          "POST https://example.org/v1/x; the nearest is exchanges[0], which differs at /contents/0/parts/0/text: recorded \"open?\", sent "
          "\"closed?\"");
    CHECK(
        miss(request_of(R"({"contents": [{"parts": [{"text": "open?"}, {"text": "?"}]}], "a/b": {}})")) ==
        "POST https://example.org/v1/x; the nearest is exchanges[0], which differs at /a~1b/c~0d: recorded 1, sent nothing (the first of 2 "
        "differences)");
    CHECK(miss(request_of(R"({"contents": []})", "https://example.org/others")) ==
          "POST https://example.org/others; the nearest is exchanges[1], which differs in the URL: recorded \"https://example.org/other\", "
          "sent "
          "\"https://example.org/others\"");
    ai::http_request get = request_of("");
    get.method = "GET";
    CHECK(miss(get).find("differs in the method: recorded POST, sent GET") != std::string::npos);
    CHECK(player.left() == 2);
    CHECK(player.send(request_of(R"({"contents": []})", "https://example.org/other"), {}));
    CHECK(miss(request_of(R"({"contents": []})", "https://example.org/other")) ==
          "POST https://example.org/other that has not been played");
}

TEST_CASE("the same request twice plays its two recordings in order") {
    const scratch tape("order");
    fake::cassette_recorder recorder(tape.path, canned_transport{{{response_of(503, "busy")}, {response_of(200, "ready")}}});
    CHECK(recorder.send(request_of("x"), {}));
    CHECK(recorder.send(request_of("x"), {}));
    fake::cassette_player player(tape.path);
    fake::cassette_player same = player;
    CHECK(player.send(request_of("x"), {})->status == 503);
    CHECK(same.send(request_of("x"), {})->status == 200);
    CHECK(player.left() == 0);
}

TEST_CASE("a cassette keeps to the limits of a request and to its token") {
    const scratch tape("limits");
    fake::cassette_recorder recorder(tape.path, canned_transport{{{response_of(200, "0123456789")}, {response_of(200, ""), {"a", "b"}}}});
    CHECK(recorder.send(request_of("x"), {}));
    CHECK(stream(recorder, request_of("y")).response);
    fake::cassette_player player(tape.path);
    ai::http_request small = request_of("x");
    small.max_response_bytes = 9;
    CHECK(player.send(small, {}).error().code == ai::errc::too_large);
    int count = 0;
    const auto stopped = player.stream(request_of("y"), [&](std::string_view) { return ++count < 1; }, {});
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ai::errc::cancelled);
    CHECK(count == 1);
    ai::cancel_source tripped;
    tripped.request_stop();
    CHECK(player.send(request_of("x"), tripped.get_token()).error().code == ai::errc::cancelled);
}

TEST_CASE("what was cancelled is not recorded") {
    const scratch tape("cancelled");
    fake::cassette_recorder recorder(tape.path, canned_transport{{{ai::failure{.code = ai::errc::cancelled}}, {response_of(200, "x")}}});
    CHECK_FALSE(recorder.send(request_of("1"), {}));
    CHECK(recorder.send(request_of("2"), {}));
    CHECK(fake::cassette_player(tape.path).left() == 1);
}

TEST_CASE("a cassette that is not there, that is none, or that cannot be written says so in each exchange") {
    fake::cassette_player missing("/nonexistent/tape.json");
    CHECK(missing.send(request_of("x"), {}).error().message == "/nonexistent/tape.json: cannot be read");
    CHECK(missing.left() == 0);
    fake::cassette_recorder nowhere("/nonexistent/tape.json", canned_transport{{{response_of(200, "x")}}});
    CHECK(nowhere.send(request_of("x"), {}).error().message == "the cassette /nonexistent/tape.json cannot be written");
    const std::vector<std::pair<const char*, const char*>> broken = {
        {"", "not JSON: empty"},
        {"[]", "not a cassette: expected the format \"pyaichat cassette 1\" with a list of exchanges"},
        {R"({"format": "pyaichat cassette 1", "exchanges": [{}]})", "exchanges[0]: request needs a method and a url"},
        {R"({"format": "pyaichat cassette 1", "exchanges": [{"request": {"method": "GET", "url": "u"}}]})",
         "exchanges[0]: an exchange needs a response or a failure"},
        {R"({"format": "pyaichat cassette 1", "exchanges": [{"request": {"method": "GET", "url": "u"}, "response": {"status": 200}}]})",
         "exchanges[0]: response.body needs json, lines or latin1"},
        {R"({"format": "pyaichat cassette 1", "exchanges": [{"request": {"method": "GET", "url": "u"}, "failure": {"code": "odd"}}]})",
         "exchanges[0]: failure.code is not an error code"},
        {R"({"format": "pyaichat cassette 1", "exchanges": [{"request": {"method": "GET", "url": "u"},
            "response": {"body": {"lines": ["abc"]}, "pieces_end_at": [2, 1]}}]})",
         "exchanges[0]: response.pieces_end_at: the offsets must increase up to the size of the body, 3"},
    };
    for (const auto& [text, message] : broken) {
        CAPTURE(text);
        const auto read = fake::read_cassette(text);
        REQUIRE_FALSE(read);
        CHECK(read.error().message == message);
    }
}

TEST_CASE("a boundary inside a secret moves behind what stands for it") {
    const fake::cassette_secrets secrets({"abcd", "abcdef"});
    std::vector<std::size_t> ends = {0, 2, 4, 8, 10, 11};
    CHECK(secrets.clean("xxabcdefyyz", &ends) == "xx***yyz");
    CHECK(ends == std::vector<std::size_t>{0, 2, 5, 5, 7, 8});
    CHECK(secrets.clean("nothing") == "nothing");
    CHECK(fake::cassette_secrets({"abc"}).clean("abc") == "abc");  // too short to be a secret
}

TEST_CASE("a secret is found in the forms that it has in JSON and in a URL") {
    fake::cassette_secrets secrets({"pass\"word\n"});
    CHECK(secrets.clean(ai::dump_json(json::object({{"a", "pass\"word\n"}}))) == R"({"a":"***"})");
    secrets.learn({.url = "https://example.org/x?alt=sse&key=a%2Fb%2Bc%"});
    CHECK(secrets.clean("https://example.org/x?alt=sse&key=a%2Fb%2Bc%") == "https://example.org/x?alt=sse&key=***");
    CHECK(secrets.clean("a/b+c%") == "***");
}

namespace {

constexpr const char* door_tape = PYAICHAT_CASSETTES "/door.json";

/// The conversation of the example cassette.
ai::answer ask_about_the_door(ai::gemini provider) {
    ai::agent agent{
        std::move(provider),
        {ai::capability(
            "door", "State of a door.", [](std::string id) { return id == "attic" ? "open" : "locked"; }, ai::arg{"id", "which door"})}};
    return agent.ask("Is the attic open?").wait();
}

/// Sends what is meant for the service to an emulator.
struct detour {
    std::string base_url;
    ai::net::https_transport transport;

    ai::http_request bent(ai::http_request request) const {
        const std::string service = ai::gemini_options().base_url;
        request.url.replace(0, service.size(), base_url);
        return request;
    }
    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token& cancel) {
        return transport.send(bent(request), cancel);
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        return transport.stream(bent(request), sink, cancel);
    }
};

}  // namespace

TEST_CASE("a committed cassette plays a whole question through the Gemini provider, without a network or a key of worth") {
    fake::cassette_player tape(door_tape);
    REQUIRE(tape.left() > 1);
    const ai::answer reply = ask_about_the_door(ai::gemini({.api_key = "any-key"}, tape));
    CAPTURE(reply.text);
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.text == "The attic is open.");
    CHECK(tape.left() == 0);
}

// Run it by its name when requests change on purpose: `test_testing "record the example cassette"`.
TEST_CASE("record the example cassette", "[.record]") {
    fake::gemini_emulator service{fake::gemini_reply::calls({{"fc-1", "door", json::object({{"id", "attic"}})}}, "c2lnbmF0dXJl"),
                                  fake::gemini_reply::deltas({"The attic ", "is open."}, "c2lnbmF0dXJlLXR3bw==")};
    fake::cassette_recorder recorder(door_tape, detour{service.base_url(), ai::net::https_transport()});
    CHECK(ask_about_the_door(ai::gemini({.api_key = "test-key"}, recorder)).text == "The attic is open.");
}
