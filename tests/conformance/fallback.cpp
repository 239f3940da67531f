// A conversation that goes from one service to another and back, with calls and thoughts: each service takes what the other one wrote.
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

/// Appends the response, and a reply to each of its calls.
void advance(ai::model_request& request, const ai::model_response& response) {
    ai::message replies;
    for (const ai::part& piece : response.candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            replies.parts.push_back(ai::response_part{call->id, call->name, json{{"ok", true}, {"result", 3}}});
        }
    }
    request.messages.push_back(response.candidates.front().content);
    request.messages.push_back(std::move(replies));
}

}  // namespace

TEST_CASE("Gemini and Anthropic continue each other's conversation") {
    const auto gemini_call = [](const char* id) { return fake::gemini_reply::calls({{id, "f", json::object()}}, "c2lnbmF0dXJl"); };
    const auto claude_call = [](const char* id, const char* signature) {
        return fake::anthropic_reply::calls({{id, "f", json::object()}}).thinking("Hm.", signature);
    };
    fake::gemini_emulator google{gemini_call("fc:1"), fake::gemini_reply::overloaded(), fake::gemini_reply::overloaded(),
                                 gemini_call("fc:1"), fake::gemini_reply::overloaded()};
    fake::anthropic_emulator claude{claude_call("toolu_1", "c2lnMQ=="), claude_call("toolu_2", "c2lnMg=="),
                                    fake::anthropic_reply::text("x is 3.")};
    ai::fallback either(ai::gemini{{.api_key = "test-key", .base_url = google.base_url()}},
                        ai::anthropic{{.api_key = "test-key", .base_url = claude.base_url()}});
    ai::model_request request;
    request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    request.messages.push_back(ai::user_message("What is x?"));
    request.time_left = 10s;
    std::string answer;
    for (int step = 0; step < 5; ++step) {
        const auto response = either.complete(request, {}, {});
        REQUIRE(response);
        answer = response->candidates.front().content.text();
        advance(request, *response);
    }
    CHECK(answer == "x is 3.");
    for (const auto& seen : google.requests()) {
        CAPTURE(seen.text);
        CHECK_FALSE(seen.refusal);
    }
    const auto seen = claude.requests();
    REQUIRE(seen.size() == 3);
    for (const auto& one : seen) {
        CAPTURE(one.text);
        CHECK_FALSE(one.refusal);
    }
    CHECK(seen[2].text.find("c2lnMQ==") != std::string::npos);  // its own thinking went back to it
    CHECK(seen[2].text.find("c2lnMg==") != std::string::npos);
    CHECK(seen[2].text.find("c2lnbmF0dXJl") == std::string::npos);
}
