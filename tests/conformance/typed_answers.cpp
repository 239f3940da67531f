// A question with a schema, over every service: the same value comes back, as a text that the service holds to the schema, and by a
// function.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/openai/openai.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/openai_emulator.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

struct place {
    std::string name = {};
    int floor = 0;
    friend bool operator==(const place&, const place&) = default;
};
enum class mood { calm, alert, hostile };
struct ride {
    std::string line = {};
    friend bool operator==(const ride&, const ride&) = default;
};
struct walk {
    int minutes = 0;
    friend bool operator==(const walk&, const walk&) = default;
};
struct plan {
    std::string title = {};
    std::vector<place> stops = {};
    std::optional<double> hours = {};
    std::optional<place> home = {};
    mood feeling = mood::calm;
    std::vector<std::variant<ride, walk>> ways = {};
    friend bool operator==(const plan&, const plan&) = default;
};

const plan wanted{
    .title = "A walk", .stops = {{"hall", 0}, {"attic", 3}}, .hours = 1.5, .feeling = mood::alert, .ways = {walk{5}, ride{"the lift"}}};
const json good =
    *ai::parse_json(R"({"title": "A walk", "stops": [{"name": "hall", "floor": 0}, {"name": "attic", "floor": 3}], "hours": 1.5,
    "feeling": "alert", "ways": [{"minutes": 5}, {"line": "the lift"}]})");
/// Each has one defect: of a nested struct, of an enumeration, of a variant.
const std::vector<json> bad = {
    *ai::parse_json(R"({"title": "A walk", "stops": [{"name": "hall"}], "feeling": "calm", "ways": []})"),
    *ai::parse_json(R"({"title": "A walk", "stops": [], "feeling": "angry", "ways": []})"),
    *ai::parse_json(R"({"title": "A walk", "stops": [], "feeling": "calm", "ways": [{"minutes": "5"}]})"),
};

const json moods = *ai::parse_json(R"({"type": "object", "properties": {
    "mood": {"type": "string", "enum": ["calm", "alert", "hostile"]},
    "next": {"anyOf": [{"type": "object", "properties": {"seconds": {"type": "number"}}, "required": ["seconds"], "additionalProperties": false},
                       {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"], "additionalProperties": false}]}},
    "required": ["mood", "next"], "additionalProperties": false})");
const json good_mood = *ai::parse_json(R"({"mood": "alert", "next": {"place": "attic"}})");
const json bad_mood = *ai::parse_json(R"({"mood": "alert", "next": {"place": 3}})");

/// Hides that the service takes schemas.
struct by_function {
    ai::any_provider service;
    [[nodiscard]] ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink& sink,
                                                          const ai::cancel_token& cancel) {
        return service.complete(request, sink, cancel);
    }
};

/// A service with a script: how to connect to it, and how its model calls a function or says a text.
struct service {
    std::string name;
    std::function<ai::any_provider()> connect;
    std::function<void(const std::string& id, const std::string& function, const json& arguments)> call;
    std::function<void(const std::string& text)> say;
    std::function<std::string()> refusals;
};

template <class Emulator>
std::string refusals_of(const Emulator& emulator) {
    std::string all;
    for (const auto& request : emulator.requests()) {
        all += request.refusal ? request.text + "\n" : "";
    }
    return all;
}

std::vector<service> services(fake::gemini_emulator& google, fake::openai_emulator& openai, fake::anthropic_emulator& claude,
                              fake::scripted_provider& script) {
    return {{"gemini", [&] { return ai::gemini{{.api_key = "test-key", .base_url = google.base_url()}}; },
             [&](const std::string& id, const std::string& name, const json& arguments) {
                 google.enqueue(fake::gemini_reply::calls({{id, name, arguments}}, "c2lnbmF0dXJl"));
             },
             [&](const std::string& text) { google.enqueue(fake::gemini_reply::text(text)); }, [&] { return refusals_of(google); }},
            {"openai",
             [&] {
                 return ai::openai{{.api_key = "test-key",
                                    .model = "gpt-5.4-mini",
                                    .base_url = openai.base_url(),
                                    .profile = *ai::openai_profile_named("openai")}};
             },
             [&](const std::string& id, const std::string& name, const json& arguments) {
                 openai.enqueue(fake::openai_reply::calls({{"call_" + id, name, ai::dump_json(arguments)}}));
             },
             [&](const std::string& text) { openai.enqueue(fake::openai_reply::text(text)); }, [&] { return refusals_of(openai); }},
            {"openai, responses",
             [&] {
                 return ai::openai{{.api_key = "test-key",
                                    .model = "gpt-5.4-mini",
                                    .base_url = openai.base_url(),
                                    .profile = *ai::openai_profile_named("openai"),
                                    .api = ai::openai_api::responses}};
             },
             [&](const std::string& id, const std::string& name, const json& arguments) {
                 openai.enqueue(fake::openai_reply::calls({{"call_" + id, name, ai::dump_json(arguments)}}));
             },
             [&](const std::string& text) { openai.enqueue(fake::openai_reply::text(text)); }, [&] { return refusals_of(openai); }},
            {"anthropic", [&] { return ai::anthropic{{.api_key = "test-key", .base_url = claude.base_url()}}; },
             [&](const std::string& id, const std::string& name, const json& arguments) {
                 claude.enqueue(fake::anthropic_reply::calls({{"toolu_" + id, name, arguments}}));
             },
             [&](const std::string& text) { claude.enqueue(fake::anthropic_reply::text(text)); }, [&] { return refusals_of(claude); }},
            {"scripted", [&] { return ai::any_provider(script); },
             [&](const std::string& id, const std::string& name, const json& arguments) { script.add(fake::call(name, arguments, id)); },
             [&](const std::string& text) { script.add(fake::say(text)); }, [] { return std::string(); }}};
}

}  // namespace

TEST_CASE("a plan that is asked for over any service, in both ways, has the same value") {
    fake::gemini_emulator google;
    fake::openai_emulator openai;
    fake::anthropic_emulator claude;
    fake::scripted_provider script;
    script.take_answer_schemas(true);
    int texts = 0;
    for (const service& each : services(google, openai, claude, script)) {
        for (const bool hides : {false, true}) {
            INFO(each.name);
            ai::any_provider provider = each.connect();
            const bool as_text = !hides && ai::takes_answer_schema(provider, ai::schema_of<plan>());
            texts += as_text ? 1 : 0;
            int calls = 0;
            const auto give = [&](const json& answer) {
                as_text ? each.say(ai::dump_json(answer)) : each.call(std::to_string(++calls), "give_answer", answer);
            };
            each.call(std::to_string(++calls), "floors", json::object());
            for (const json& broken : bad) {
                give(broken);
            }
            give(good);
            ai::agent agent{hides ? ai::any_provider(by_function{provider}) : provider,
                            {ai::capability("floors", "Counts the floors.", [] { return 4; })},
                            {.limits = {.invalid_response_retries = 3}}};
            const ai::typed_answer<plan> reply = agent.ask_for<plan>("Where to?").wait();
            INFO(reply.answer.text);
            CHECK(each.refusals().empty());
            REQUIRE(reply.value);
            CHECK(*reply.value == wanted);
            CHECK(reply.answer.value == good);
            CHECK(reply.answer.steps == 5);

            // A schema that is known at run time, with an enumeration and alternatives.
            const bool mood_as_text = !hides && ai::takes_answer_schema(provider, moods);
            for (const json& answer : {bad_mood, good_mood}) {
                mood_as_text ? each.say(ai::dump_json(answer)) : each.call(std::to_string(++calls), "give_answer", answer);
            }
            const ai::typed_answer<json> felt = agent.ask_json("How are they?", moods).wait();
            INFO(felt.answer.text);
            CHECK(each.refusals().empty());
            REQUIRE(felt.value);
            CHECK(*felt.value == good_mood);

            // The answer is a history for the same service.
            each.say("It is above.");
            CHECK(agent.ask({.question = "Why there?", .history = reply.answer.messages}).wait().text == "It is above.");
            CHECK(each.refusals().empty());
        }
    }
    CHECK(texts == 3);  // not OpenAI's: its structured outputs know no optional members
}
