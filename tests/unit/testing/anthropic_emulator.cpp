#include <pyaichat/testing/anthropic_emulator.hpp>

#include <pyaichat/anthropic/anthropic.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace anthropic_emulator_tests {
using reply = fake::anthropic_reply;

namespace {

ai::anthropic provider_for(const fake::anthropic_emulator& service, bool stream = true) {
    return ai::anthropic({.api_key = "test-key", .base_url = service.base_url(), .stream = stream});
}

ai::model_request question() {
    ai::model_request request;
    request.instructions = "Be terse.";
    request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    request.messages.push_back(ai::user_message("What is x?"));
    request.time_left = 10s;
    return request;
}

/// Appends the response and replies to its calls.
void advance(ai::model_request& request, const ai::model_response& response, const std::string& text = "") {
    ai::message replies;
    for (const ai::part& piece : response.candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            replies.parts.push_back(ai::response_part{call->id, call->name, json{{"ok", true}, {"result", 3}}});
        }
    }
    if (!text.empty()) {
        replies.parts.push_back(ai::text_part{text});
    }
    request.messages.push_back(response.candidates.front().content);
    request.messages.push_back(std::move(replies));
}

}  // namespace

TEST_CASE("a run with thinking, parallel calls and a correction is legal in every request, streamed and whole") {
    for (const bool stream : {true, false}) {
        fake::anthropic_emulator service{
            reply::calls({{"toolu_1", "f", json::object()}, {"toolu_2", "f", {{"x", 1}}}}).thinking("", "c2lnMQ==").with_pings(),
            reply::calls({{"toolu_3", "f", json::object()}}).redacted_thinking("abc").thinking("Hm.", "c2lnMg==").byte_by_byte(),
            reply::content(json::array({{{"type", "text"}, {"text", ""}}, {{"type", "text"}, {"text", "x is 3."}}}))
                .thinking("", "c2lnMw=="),
            reply::text("Yes."),
        };
        ai::anthropic provider = provider_for(service, stream);
        ai::model_request request = question();
        for (const char* words : {"", "Go on, and be brief.", "Sure?"}) {
            const auto response = provider.complete(request, {}, {});
            REQUIRE(response);
            advance(request, *response, words);
        }
        REQUIRE(provider.complete(request, {}, {}));
        for (const auto& seen : service.requests()) {
            CAPTURE(seen.text);
            CHECK_FALSE(seen.refusal);
            CHECK(seen.header("X-Api-Key") == "test-key");
            CHECK(seen.connection == 1);
        }
        const json last = service.requests().back().body;
        CHECK(last["messages"][1]["content"][0]["signature"] == "c2lnMQ==");
        CHECK(last["messages"][3]["content"].size() == 3);
        CHECK(last["messages"][5]["content"].size() == 2);  // without the empty text
    }
}

TEST_CASE("instructions that change within a conversation are no failure") {
    fake::anthropic_emulator service{reply::calls({{"toolu_1", "f", json::object()}}).thinking("", "c2lnMQ=="),
                                     reply::text("A.").thinking("", "c2lnMg=="), reply::text("B.")};
    ai::anthropic provider = provider_for(service);
    ai::model_request request = question();
    for (const char* instructions : {"Be terse.", "Be polite.", "Be polite."}) {
        request.instructions = instructions;
        const auto response = provider.complete(request, {}, {});
        REQUIRE(response);
        advance(request, *response, "And?");
    }
    const auto seen = service.requests();
    REQUIRE(seen.size() == 3);  // none was refused and repeated
    CHECK(seen[1].text.find("c2lnMQ==") == std::string::npos);
    CHECK(seen[2].text.find("c2lnMg==") != std::string::npos);
}

TEST_CASE("the emulator refuses like the service, and takes no reply for it") {
    fake::anthropic_emulator service{reply::text("x")};
    ai::anthropic wrong({.api_key = "wrong", .base_url = service.base_url()});
    CHECK(wrong.complete(question(), {}, {}).error().code == ai::errc::authentication);
    ai::anthropic unknown({.api_key = "test-key", .model = "claude-9", .base_url = service.base_url()});
    CHECK(unknown.complete(question(), {}, {}).error().code == ai::errc::unknown_model);
    ai::anthropic hot({.api_key = "test-key", .base_url = service.base_url(), .generation = {.temperature = 0.5}});
    CHECK(hot.complete(question(), {}, {}).error().code == ai::errc::request_rejected);
    CHECK(service.replies_left() == 1);
    CHECK(service.requests()[2].refusal->message().find("temperature") != std::string::npos);
}

TEST_CASE("faults reach the provider as failures of the right kind") {
    fake::anthropic_emulator service{reply::overloaded(),
                                     reply::rate_limit("2"),
                                     reply::spend_limit(),
                                     reply::text("half").cut_after(3),
                                     reply::text("half").then_error("api_error", "Internal server error"),
                                     reply::reset(),
                                     reply::text("whole").without_message_stop(),
                                     reply::text("whole").never_streamed(),
                                     reply::events({{{"type", "ping"}}})};
    ai::anthropic provider = provider_for(service);
    const auto code = [&] {
        const auto response = provider.complete(question(), {}, {});
        return response ? std::string("ok") : std::string(ai::to_string(response.error().code));
    };
    for (const char* expected : {"unavailable", "rate_limited", "quota_exhausted", "connection_failed", "unavailable", "connection_failed",
                                 "ok", "ok", "connection_failed", "unavailable"}) {
        CHECK(code() == expected);
    }
}

TEST_CASE("models are described and listed, and tokens counted") {
    fake::anthropic_emulator service;
    service.otherwise([](const fake::recorded_request&) { return reply::text("x"); });
    ai::anthropic provider = provider_for(service);
    REQUIRE(provider.describe_model(5s));
    CHECK(provider.describe_model(5s)->display_name == "Emulated claude-haiku-5-5");
    CHECK(provider.list_models(5s)->size() == 1);
    CHECK(provider.count_tokens(question()).value_or(0) > 0);
    CHECK(provider.complete(question(), {}, {}));
    for (const auto& seen : service.requests()) {
        CHECK_FALSE(seen.refusal);
    }
}

}  // namespace anthropic_emulator_tests
