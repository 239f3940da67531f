// The provider against an emulated service that is as strict as the real ones.
#include <pyaichat/message/history.hpp>
#include <pyaichat/openai/codec.hpp>
#include <pyaichat/openai/openai.hpp>
#include <pyaichat/testing/openai_emulator.hpp>

#include "catch.hpp"
#include "random_history.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

ai::openai provider_for(const fake::openai_emulator& service, const char* profile = "openai", bool stream = true) {
    return ai::openai({.api_key = "test-key",
                       .model = "gpt-5.4-mini",
                       .base_url = service.base_url(),
                       .profile = *ai::openai_profile_named(profile),
                       .stream = stream});
}

ai::model_request question() {
    ai::model_request request;
    request.instructions = "Be terse.";
    request.messages.push_back(ai::user_message("What is x?"));
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    request.time_left = 10s;
    return request;
}

ai::message replies_to(const ai::message& content) {
    ai::message out;
    for (const ai::part& one : content.parts) {
        if (const auto* call = one.as<ai::call_part>()) {
            out.parts.push_back(ai::response_part{call->id, call->name, json::object({{"ok", true}, {"result", 3}})});
        }
    }
    return out;
}

/// Asks, and takes the answer into the conversation, with replies to its calls.
template <class Provider>
ai::message step(Provider& provider, ai::model_request& request) {
    const auto response = provider.complete(request, {}, {});
    if (!response) {
        FAIL(response.error().message);
    }
    REQUIRE_FALSE(response->candidates.empty());
    const ai::message content = response->candidates.front().content;
    request.messages.push_back(content);
    if (content.has_calls()) {
        request.messages.push_back(replies_to(content));
    }
    return content;
}

/// What the service of a profile demands.
fake::openai_service strict_service(const std::string& profile) {
    fake::openai_service service;
    service.nine_character_ids = profile == "mistral";
    service.demanded_member = profile == "deepseek" || profile == "kimi" ? "reasoning_content" : "";
    service.demanded_call_member = profile == "gemini" ? "extra_content" : "";
    return service;
}

fake::openai_reply calls_of(const std::string& profile) {
    fake::openai_reply reply = fake::openai_reply::calls({{"abcdefgh1", "f", R"({"n":1})"}, {"abcdefgh2", "g", "{}"}});
    if (profile == "deepseek" || profile == "kimi") {
        return std::move(reply).thinking("hm");
    }
    return profile == "gemini" ? std::move(reply).with_call_member("extra_content", json::object({{"s", 1}})) : std::move(reply);
}

}  // namespace

TEST_CASE("a conversation with calls is legal for the service of each profile, streamed and whole") {
    for (const std::string& profile : ai::openai_profile_names()) {
        for (const bool stream : {true, false}) {
            CAPTURE(profile, stream);
            fake::openai_emulator service(fake::openai_emulator_options{.service = strict_service(profile)});
            for (int i = 0; i < 2; ++i) {
                service.enqueue(calls_of(profile));
            }
            service.enqueue(fake::openai_reply::text("three"));
            ai::openai provider = provider_for(service, profile.c_str(), stream);
            ai::model_request request = question();
            CHECK(step(provider, request).has_calls());
            CHECK(step(provider, request).has_calls());
            CHECK(step(provider, request).text() == "three");
            for (const fake::recorded_request& seen : service.requests()) {
                CHECK_FALSE(seen.refusal);
                CHECK(seen.connection == 1);
            }
        }
    }
}

TEST_CASE("a strict service of each profile takes any history that was repaired") {
    ai::model_request request = question();
    int with_replies = 0;
    for (const std::string& profile : ai::openai_profile_names()) {
        const ai::openai_options options{.model = "gpt-5.4-mini", .profile = *ai::openai_profile_named(profile)};
        const fake::openai_service service = strict_service(profile);
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            ai::conversation history = support::random_history(random);
            history.push_back(ai::user_message("What now?"));
            request.messages = ai::repair_history(history);
            const ai::result<std::string> body = ai::openai_codec::encode_request(request, options);
            REQUIRE(body);
            if (const auto refused = fake::check_openai_request(
                    "POST", "/v1/chat/completions", {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}}, *body,
                    service)) {
                FAIL(profile << ", seed " << seed << ": " << refused->message() << "\n" << *body);
            }
            with_replies += body->find("tool_call_id") != std::string::npos ? 1 : 0;
        }
    }
    CHECK(with_replies > 500);
}

TEST_CASE("a conversation of several turns is legal for the Responses API, streamed and whole") {
    for (const bool stream : {true, false}) {
        CAPTURE(stream);
        const json search = json::object({{"type", "web_search_call"}, {"id", "ws_1"}, {"status", "completed"}});
        fake::openai_emulator service{
            fake::openai_reply::calls({{"call_1", "f", R"({"n":1})"}, {"call_2", "g", ""}}).thinking("hm"),
            fake::openai_reply::error(503, "busy", "server_is_overloaded"),
            fake::openai_reply::calls({{"call_3", "f", "{}"}}).thinking("hm, hm"),
            fake::openai_reply::output(json::array({search, *ai::parse_json(R"({"type": "message", "id": "msg_c", "role": "assistant",
                    "status": "completed", "phase": "commentary", "content": [{"type": "output_text", "text": "I look."}]})"),
                                                    *ai::parse_json(R"({"type": "message", "id": "msg_f", "role": "assistant",
                    "status": "completed", "phase": "final_answer", "content": [{"type": "output_text", "text": "three"}]})")})),
            fake::openai_reply::calls({{"call_4", "g", "{}"}}),
            fake::openai_reply::text("four")};
        ai::openai provider({.api_key = "test-key", .model = "gpt-6-astra", .base_url = service.base_url(), .stream = stream});
        ai::model_request request = question();
        CHECK(step(provider, request).has_calls());
        CHECK(provider.complete(request, {}, {}).error().code == ai::errc::unavailable);
        CHECK(step(provider, request).has_calls());
        CHECK(step(provider, request).text() == "three");
        request.messages.push_back(ai::user_message("And now?"));
        CHECK(step(provider, request).has_calls());
        CHECK(step(provider, request).text() == "four");
        for (const fake::recorded_request& seen : service.requests()) {
            INFO((seen.refusal ? seen.refusal->message() : ""));
            CHECK_FALSE(seen.refusal);
            CHECK(seen.path == "/v1/responses");
        }
        CHECK(service.replies_left() == 0);
    }
}

TEST_CASE("the Responses API takes any history that was repaired") {
    ai::model_request request = question();
    const ai::openai_options options{.model = "gpt-6-astra"};
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        ai::conversation history = support::random_history(random);
        history.push_back(ai::user_message("What now?"));
        request.messages = ai::repair_history(history);
        const ai::result<std::string> body = ai::openai_codec::encode_request(request, options);
        REQUIRE(body);
        if (const auto refused = fake::check_openai_request(
                "POST", "/v1/responses", {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}}, *body)) {
            FAIL("seed " << seed << ": " << refused->message() << "\n" << *body);
        }
    }
}

TEST_CASE("a model that takes functions only without reasoning is served after one refusal") {
    fake::openai_emulator service{fake::openai_reply::text("one"), fake::openai_reply::text("two")};
    ai::openai provider({.api_key = "test-key", .model = "gpt-5.6-terra", .base_url = service.base_url()});
    ai::model_request request = question();
    CHECK(step(provider, request).text() == "one");
    request.messages.push_back(ai::user_message("and?"));
    CHECK(step(provider, request).text() == "two");
    CHECK(service.requests().size() == 3);
}

TEST_CASE("faults of streams are failures with their codes") {
    const auto code = [](fake::openai_reply reply) {
        fake::openai_emulator service{std::move(reply)};
        ai::openai provider = provider_for(service);
        const auto response = provider.complete(question(), {}, {});
        REQUIRE_FALSE(response);
        return response.error().code;
    };
    CHECK(code(fake::openai_reply::text("x").without_finish().without_done()) == ai::errc::connection_failed);
    CHECK(code(fake::openai_reply::text("x").cut_after(200)) == ai::errc::connection_failed);
    CHECK(code(fake::openai_reply::text("x").then_error(429, "slow")) == ai::errc::rate_limited);
    CHECK(code(fake::openai_reply::http(200, {{"Content-Type", "text/html"}}, "<html>")) == ai::errc::bad_response);
    CHECK(code(fake::openai_reply::error(429, "quota", "insufficient_quota")) == ai::errc::quota_exhausted);
}

TEST_CASE("byte by byte, without index and without [DONE], the calls are the same") {
    fake::openai_emulator service{calls_of("openai").byte_by_byte(), calls_of("openai").without_index(), calls_of("openai").without_done()};
    ai::openai provider = provider_for(service);
    for (int i = 0; i < 3; ++i) {
        ai::model_request request = question();
        const ai::message content = step(provider, request);
        REQUIRE(content.parts.size() == 2);
        CHECK(content.parts[0].as<ai::call_part>()->arguments == json::object({{"n", 1}}));
        CHECK(content.parts[1].as<ai::call_part>()->id == "abcdefgh2");
    }
}

TEST_CASE("the startup check asks the service for its models") {
    fake::openai_emulator service;
    CHECK(provider_for(service).describe_model(5s)->name == "gpt-5.4-mini");
    const auto wrong = ai::openai({.api_key = "wrong", .base_url = service.base_url()}).describe_model(5s);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == ai::errc::authentication);
    CHECK(wrong.error().message.find("wrong.") == std::string::npos);
}
