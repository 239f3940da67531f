// A conversation that goes between Gemini and OpenAI: each service gets what the other one wrote in its own form.
#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/openai/codec.hpp>
#include <pyaichat/openai/openai.hpp>
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/openai_emulator.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

json parsed(std::string_view text) {
    const auto value = ai::parse_json(text);
    REQUIRE(value);
    return *value;
}

ai::model_request asking(std::initializer_list<ai::message> messages) {
    ai::model_request request;
    request.messages = messages;
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    request.time_left = 10s;
    return request;
}

/// Appends the response, and a reply to each of its calls.
template <class Provider>
ai::message step(Provider& provider, ai::model_request& request) {
    const auto response = provider.complete(request, {}, {});
    REQUIRE(response);
    const ai::message content = response->candidates.front().content;
    request.messages.push_back(content);
    ai::message replies;
    for (const ai::part& piece : content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            replies.parts.push_back(ai::response_part{call->id, call->name, json::object({{"ok", true}, {"result", 3}})});
        }
    }
    request.messages.push_back(std::move(replies));
    return content;
}

}  // namespace

TEST_CASE("a conversation with Gemini is told anew, and one with OpenAI to Gemini") {
    const ai::message gemini = ai::gemini_codec::decode_content(
        parsed(R"({"role": "model", "parts": [{"text": "hm", "thought": true}, {"functionCall": {"name": "f", "args": {"n": 1}},
                  "thoughtSignature": "c2ln"}, {"functionCall": {"name": "f", "args": {"n": 2}}}]})"),
        "gemini-3");
    const ai::model_request request = asking({ai::user_message("x"), gemini,
                                              ai::message{.parts = {ai::response_part{"", "f", json::object({{"r", 1}})},
                                                                    ai::response_part{"", "f", json::object({{"r", 2}})}}}});
    const json messages = parsed(*codec::encode_request(request, {.stream = false}))["messages"];
    REQUIRE(messages.size() == 4);
    CHECK(messages[1]["tool_calls"][0]["id"] != messages[1]["tool_calls"][1]["id"]);
    CHECK(messages[1]["tool_calls"][1]["function"]["arguments"] == "{\"n\":2}");
    CHECK(messages[3]["tool_call_id"] == messages[1]["tool_calls"][1]["id"]);
    CHECK(messages[3]["content"] == "{\"r\":2}");
    const ai::message openai = codec::decode_message(
        parsed(R"({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]})"),
        {});
    const auto body = ai::gemini_codec::encode_request(
        asking({ai::user_message("x"), openai, ai::message{.parts = {ai::response_part{"c1", "f", json::object()}}}}));
    REQUIRE(body);
    CHECK(body->find(R"("functionCall":{"args":{},"id":"c1","name":"f"})") != std::string::npos);
}

TEST_CASE("a fallback in the middle of a conversation tells the history anew, to either side and back") {
    fake::gemini_emulator google{
        fake::gemini_reply::calls({{"fc-1", "f", json::object({{"n", 1}})}, {"", "g", json::object()}}, "c2lnbmF0dXJl").thinking("hm"),
        fake::gemini_reply::overloaded(), fake::gemini_reply::text("three")};
    fake::openai_emulator other{fake::openai_reply::calls({{"call_1", "f", "{}"}})};
    ai::fallback provider{ai::gemini({.api_key = "test-key", .base_url = google.base_url()}),
                          ai::openai({.api_key = "test-key", .base_url = other.base_url()})};
    ai::model_request request = asking({ai::user_message("What is x?")});
    CHECK(step(provider, request).has_calls());  // Gemini
    CHECK(step(provider, request).has_calls());  // the other service
    CHECK(step(provider, request).text() == "three");
    for (const auto& seen : google.requests()) {
        CHECK_FALSE(seen.refusal);
    }
    REQUIRE(other.requests().size() == 1);
    CHECK_FALSE(other.requests().front().refusal);
    CHECK(other.requests().front().body["messages"].size() == 4);
}
