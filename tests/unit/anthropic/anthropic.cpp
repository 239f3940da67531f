#include <pyaichat/anthropic/anthropic.hpp>

#include <pyaichat/anthropic/codec.hpp>

#include "canned.hpp"
#include "looped_transport.hpp"

namespace ai = pyaichat;
using ai::json;
using namespace std::chrono_literals;

static_assert(ai::model_provider<ai::anthropic>);
static_assert(ai::async_model_provider<ai::anthropic>);

namespace {

ai::model_request question() {
    ai::model_request request;
    request.messages.push_back(ai::user_message("What is x?"));
    request.time_left = 10s;
    return request;
}

ai::result<ai::model_response> ask(ai::anthropic& provider, const ai::model_request& request) {
    return provider.complete(request, ai::delta_sink(), {});
}

ai::failure failure_of(ai::anthropic& provider, const ai::model_request& request = question()) {
    const auto response = ask(provider, request);
    REQUIRE_FALSE(response);
    return response.error();
}

ai::failure failure_after(served response, ai::anthropic_options options = {.api_key = "test-key"}) {
    ai::anthropic provider(std::move(options), canned(std::vector<served>{std::move(response)}));
    return failure_of(provider);
}

std::string error_body(const std::string& type, const std::string& message, const std::string& more = "") {
    return R"({"type":"error","error":{"type":")" + type + R"(","message":")" + message + R"(")" + more + R"(},"request_id":"req_1"})";
}

std::string header(const ai::http_request& request, std::string_view name) {
    std::string out;
    for (const ai::http_header& one : request.headers) {
        out += one.name == name ? one.value : "";
    }
    return out;
}

const std::string thinking_and_call =
    R"({"type":"thinking","thinking":"","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}})";

}  // namespace

TEST_CASE("a request has the key, the version and the host's headers, and no secret in its body") {
    canned transport({reply(R"({"type":"text","text":"x"})")});
    ai::anthropic provider({.api_key = "test-key", .base_url = "https://gateway.example/v1/", .headers = {{"anthropic-beta", "a,b"}}},
                           transport);
    REQUIRE(ask(provider, question()));
    const ai::http_request& seen = transport.shared->seen.front();
    CHECK(seen.url == "https://gateway.example/v1/messages");
    CHECK(header(seen, "x-api-key") == "test-key");
    CHECK(header(seen, "Authorization").empty());
    CHECK(header(seen, "anthropic-version") == "2023-06-01");
    CHECK(header(seen, "anthropic-beta") == "a,b");
    CHECK(header(seen, "Content-Type") == "application/json");
    CHECK(seen.body.find("test-key") == std::string::npos);
    CHECK(seen.timeout == 10s);

    canned other({reply("")});
    ai::anthropic bearer({.api_key = "test-key", .auth = ai::anthropic_auth::bearer, .stream = false}, other);
    REQUIRE(ask(bearer, question()));
    CHECK(header(other.shared->seen.front(), "Authorization") == "Bearer test-key");
    CHECK(header(other.shared->seen.front(), "x-api-key").empty());
}

TEST_CASE("a key is needed, except on a loopback address") {
    canned transport({reply(R"({"type":"text","text":"x"})")});
    ai::anthropic none({.api_key = ""}, transport);
    CHECK(failure_of(none).hint == "No API key is set. Set ANTHROPIC_API_KEY to your key.");
    CHECK(transport.shared->seen.empty());
    ai::anthropic local({.api_key = "", .base_url = "http://127.0.0.1:11434"}, transport);
    REQUIRE(ask(local, question()));
    CHECK(header(transport.shared->seen.front(), "x-api-key").empty());
    ai::anthropic odd({.api_key = "a key"}, transport);
    CHECK(failure_of(odd).code == ai::errc::authentication);
}

TEST_CASE("a whole run: thinking and a call, its result, and the answer") {
    canned transport({reply(thinking_and_call, "tool_use"), reply(R"({"type":"text","text":"x is 3."})")});
    ai::anthropic provider({.api_key = "test-key", .stream = false}, transport);
    ai::model_request request = question();
    request.declarations = *ai::declare({{.name = "f", .description = "F.", .parameters = json{{"type", "object"}, {"required", {"x"}}}}});
    const auto first = ask(provider, request);
    REQUIRE(first);
    const ai::candidate& one = first->candidates.front();
    REQUIRE(one.checks.size() == 1);
    CHECK(one.checks.front().is_of(request.declarations, "f", json::object()));
    request.messages.push_back(one.content);
    request.messages.push_back(ai::message{.parts = {ai::response_part{"toolu_1", "f", json{{"ok", true}, {"result", 3}}}}});
    const auto second = ask(provider, request);
    REQUIRE(second);
    CHECK(second->candidates.front().content.text() == "x is 3.");
    const json messages = transport.body(1)["messages"];
    CHECK(messages[0] == transport.body(0)["messages"][0]);
    CHECK(messages[1]["content"] == *ai::parse_json("[" + thinking_and_call + "]"));
    CHECK(messages[2]["content"][0]["content"] == R"({"ok":true,"result":3})");
}

TEST_CASE("thinking that the service refuses is left out, and the request is repeated once") {
    const std::string refusal =
        error_body("invalid_request_error",
                   "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.");
    canned transport(std::vector<served>{{.pieces = {reply(thinking_and_call, "tool_use")}},
                                         {.status = 400, .pieces = {refusal}},
                                         {.pieces = {reply(thinking_and_call, "tool_use")}},
                                         {.pieces = {reply(R"({"type":"text","text":"Done."})")}},
                                         {.status = 400, .pieces = {refusal}},
                                         {.status = 400, .pieces = {refusal}}});
    ai::anthropic provider({.api_key = "test-key"}, transport);
    ai::model_request request = question();
    request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    for (int step = 0; step < 3; ++step) {
        const auto response = ask(provider, request);
        REQUIRE(response);
        request.messages.push_back(response->candidates.front().content);
        request.messages.push_back(ai::message{.parts = {ai::response_part{"toolu_1", "f", json{{"ok", true}}}, ai::text_part{"Go on."}}});
    }
    const auto thoughts = [&](std::size_t number) {
        const std::string& body = transport.shared->seen[number].body;
        std::size_t count = 0;
        for (std::size_t at = body.find(R"("type":"thinking")"); at != body.npos; at = body.find(R"("type":"thinking")", at + 1)) {
            ++count;
        }
        return count;
    };
    REQUIRE(transport.shared->seen.size() == 4);
    CHECK(thoughts(1) == 1);
    CHECK(thoughts(2) == 0);
    CHECK(thoughts(3) == 1);  // the new one; the refused one is not tried again
    CHECK(failure_of(provider, request).code == ai::errc::request_rejected);
    CHECK(transport.shared->seen.size() == 6);
}

TEST_CASE("a repeated attempt sends the same bytes") {
    canned transport({reply(""), reply("")});
    ai::anthropic provider({.api_key = "test-key"}, transport);
    REQUIRE(ask(provider, question()));
    REQUIRE(ask(provider, question()));
    CHECK(transport.shared->seen[0].body == transport.shared->seen[1].body);
}

TEST_CASE("errors have their codes, their waits and what to do") {
    const auto limited =
        failure_after({.status = 429, .headers = {{"retry-after", "7"}}, .pieces = {error_body("rate_limit_error", "Slow.")}});
    CHECK(limited.code == ai::errc::rate_limited);
    CHECK(limited.retry_after == 7s);
    CHECK(limited.message == "HTTP 429 rate_limit_error: Slow. (req_1)");
    const auto ramp =
        failure_after({.status = 429,
                       .headers = {{"Retry-After", "3"}},
                       .pieces = {error_body("rate_limit_error", "Slow.", R"(,"details":{"error_code":"ramp_limit_exceeded"})")}});
    CHECK(ramp.code == ai::errc::rate_limited);
    for (const char* cause : {"enforced_spend_limit_reached", "contract_spend_limit_reached"}) {
        const auto spent = failure_after(
            {.status = 429,
             .pieces = {error_body("rate_limit_error", "Limit.", R"(,"details":{"error_code":")" + std::string(cause) + R"("})")}});
        CHECK(spent.code == ai::errc::quota_exhausted);
        CHECK(spent.hint.find("until the month ends") != std::string::npos);
        CHECK(spent.hint.find("ANTHROPIC_API_KEY") != std::string::npos);
    }
    const auto overloaded = failure_after({.status = 529, .pieces = {error_body("overloaded_error", "Overloaded")}});
    CHECK(overloaded.code == ai::errc::unavailable);
    CHECK(overloaded.hint == "The service is overloaded; try again shortly.");
    const auto poor = failure_after({.status = 400, .pieces = {error_body("invalid_request_error", "Your credit balance is too low")}});
    CHECK(poor.code == ai::errc::quota_exhausted);
    CHECK(poor.hint.find("Buy credit") != std::string::npos);
    const auto unknown = failure_after({.status = 404, .pieces = {error_body("not_found_error", "model: claude-x")}});
    CHECK(unknown.code == ai::errc::unknown_model);
    CHECK(unknown.hint.find("ANTHROPIC_MODEL") != std::string::npos);
    const auto nowhere = failure_after({.status = 404, .pieces = {"<html>Not found</html>"}});
    CHECK(nowhere.code == ai::errc::request_rejected);
    CHECK(nowhere.hint.find("ANTHROPIC_BASE_URL") != std::string::npos);
    const auto large =
        failure_after({.status = 400, .pieces = {error_body("invalid_request_error", "prompt is too long: 5 tokens > 4 maximum")}});
    CHECK(large.code == ai::errc::too_large);
    CHECK(large.hint.find("Shorten the history") != std::string::npos);
}

TEST_CASE("each status has its code") {
    const auto code_of = [](int status) { return ai::anthropic_codec::decode_error(status, "").code; };
    CHECK(code_of(400) == ai::errc::request_rejected);
    CHECK(code_of(401) == ai::errc::authentication);
    CHECK(code_of(402) == ai::errc::quota_exhausted);
    CHECK(code_of(403) == ai::errc::permission_denied);
    CHECK(code_of(413) == ai::errc::too_large);
    CHECK(code_of(429) == ai::errc::rate_limited);
    for (const int status : {408, 409, 500, 502, 503, 504, 529}) {
        CHECK(code_of(status) == ai::errc::unavailable);
    }
    CHECK(code_of(302) == ai::errc::bad_response);
}

TEST_CASE("the service's word on a retry counts more than the status") {
    const auto code_of = [](int status, const char* word) {
        return failure_after({.status = status, .headers = {{"x-should-retry", word}}, .pieces = {"{}"}}).code;
    };
    CHECK(code_of(400, "true") == ai::errc::unavailable);
    CHECK(code_of(400, "false") == ai::errc::request_rejected);
    CHECK(code_of(500, "false") == ai::errc::request_rejected);
    CHECK(code_of(429, "false") == ai::errc::quota_exhausted);
    CHECK(code_of(401, "true") == ai::errc::authentication);
}

TEST_CASE("errors of compatible servers are read in all their forms") {
    const auto message_of = [](const std::string& body) { return ai::anthropic_codec::decode_error(400, body).message; };
    CHECK(message_of(R"({"error":"some text"})") == "HTTP 400: some text");
    CHECK(message_of(R"([{"error":{"message":"nested","type":"BadRequestError"}}])") == "HTTP 400 BadRequestError: nested");
    CHECK(message_of(R"({"message":"flat"})") == "HTTP 400: flat");
    CHECK(message_of(R"({"detail":[{"msg":"field"}]})") == R"(HTTP 400: [{"msg":"field"}])");
    CHECK(message_of("<html>x</html>") == "HTTP 400: <html>x</html>");
    CHECK(message_of("") == "HTTP 400: (no body)");
}

TEST_CASE("the key is never shown, also where the service repeats it") {
    for (const int status : {200, 400, 401}) {
        const auto error = failure_after({.status = status, .pieces = {R"({"type":"error","error":{"message":"bad test-key"}})"}});
        CHECK(error.message.find("test-key") == std::string::npos);
        CHECK(error.message.find("***") != std::string::npos);
    }
}

TEST_CASE("an error document with status 200 is that error, and HTML is a bad response") {
    for (const bool stream : {true, false}) {
        CHECK(failure_after({.pieces = {error_body("overloaded_error", "Overloaded")}}, {.api_key = "test-key", .stream = stream}).code ==
              ai::errc::unavailable);
        CHECK(failure_after({.pieces = {error_body("invalid_request_error", "No.")}}, {.api_key = "test-key", .stream = stream}).code ==
              ai::errc::request_rejected);
        CHECK(failure_after({.pieces = {"<html>Welcome</html>"}}, {.api_key = "test-key", .stream = stream}).code ==
              ai::errc::bad_response);
    }
}

TEST_CASE("a started attempt replies when its transport has the response, streamed or whole") {
    for (const bool streamed : {true, false}) {
        const bench::looped_transport looped(canned({reply(R"({"type":"text","text":"Done."})")}));
        ai::anthropic provider({.api_key = "test-key", .stream = streamed}, looped);
        REQUIRE(provider.is_async());
        CHECK(provider.loop() == looped.runs);
        std::string text;
        provider.start(question(), {}, {}, ai::model_reply([&](const ai::result<ai::model_response>& got) {
                           text = got ? got->candidates.at(0).content.text() : got.error().message;
                       }));
        CHECK(text.empty());
        REQUIRE(looped.runs->drain_one());
        CHECK(text == "Done.");
    }
}
