// Thirty broken replies to a question with a schema, and more: each is repaired within the budget, or ends the run as a failure with the
// reason. None is taken as a value.
#include <pyaichat/agent/typed_run.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <string>
#include <vector>

using namespace bench;
using ai::json;

namespace {

enum class way { text, function };

const json schema = *ai::parse_json(R"({
    "type": "object",
    "properties": {
        "mood": {"enum": ["calm", "alert", "hostile"]},
        "level": {"type": "integer", "minimum": 0, "maximum": 100},
        "names": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 3},
        "next": {"anyOf": [{"type": "object", "properties": {"wait": {"type": "number"}}, "required": ["wait"],
                            "additionalProperties": false},
                           {"type": "object", "properties": {"go": {"type": "string"}}, "required": ["go"],
                            "additionalProperties": false}]}
    },
    "required": ["mood", "level", "names", "next"],
    "additionalProperties": false})");

const std::string good = R"({"mood": "calm", "level": 3, "names": ["Ann", "Bo"], "next": {"go": "attic"}})";

struct broken_reply {
    std::string what;
    fake::scripted_reply model;
};

fake::scripted_reply give_text(const std::string& text) {
    return fake::say(text);
}

/// The good answer with other text for a member.
std::string with(std::string_view member, std::string_view value) {
    std::string text;
    for (const auto& [name, fits] : std::vector<std::pair<std::string, std::string>>{
             {"mood", "\"calm\""}, {"level", "3"}, {"names", R"(["Ann", "Bo"])"}, {"next", R"({"go": "attic"})"}}) {
        text += (text.empty() ? "{\"" : ", \"") + name + "\": " + (name == member ? std::string(value) : fits);
    }
    return text + "}";
}

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

/// Texts that are broken in both ways.
std::vector<broken_reply> broken_texts() {
    std::vector<broken_reply> all;
    const auto add = [&](std::string what, const std::string& text) { all.push_back({std::move(what), give_text(text)}); };
    add("cut in a string", good.substr(0, 13));
    add("cut before the last brace", good.substr(0, good.size() - 1));
    add("a number for a string", with("names", "[1, 2]"));
    add("a string for a number", with("level", "\"3\""));
    add("a fraction for an integer", with("level", "3.5"));
    add("a number out of its range", with("level", "101"));
    add("a huge number", with("level", "1e999"));
    add("a long integer", with("level", "123456789012345678901234567890"));
    add("NaN", with("level", "NaN"));
    add("Infinity", with("level", "-Infinity"));
    add("null for a member", with("mood", "null"));
    add("an unknown word of an enumeration", with("mood", "\"angry\""));
    add("a word of an enumeration in capitals", with("mood", "\"Calm\""));
    add("too many elements", with("names", R"(["a", "b", "c", "d"])"));
    add("an empty name", with("names", R"([""])"));
    add("no alternative", with("next", R"({"run": 1})"));
    add("two alternatives at once", with("next", R"({"go": "attic", "wait": 1})"));
    add("a missing member", R"({"mood": "calm", "level": 3, "names": []})");
    add("an extra member", R"({"mood": "calm", "level": 3, "names": [], "next": {"go": "x"}, "why": "."})");
    add("a member twice", R"({"mood": "calm", "level": 3, "level": 4, "names": [], "next": {"go": "x"}})");
    add("a member twice, within", R"({"mood": "calm", "level": 3, "names": [], "next": {"go": "x", "go": "y"}})");
    add("an array of answers", "[" + good + "]");
    add("an answer in a string", ai::dump_json(json(good)));
    add("an answer in an object", R"({"answer": )" + good + "}");
    add("two values", good + "\n" + good);
    add("two values in two fences", "```json\n" + good + "\n```\n```json\n" + good + "\n```");
    add("words before", "Here it is: " + good);
    add("words behind", good + "\nI hope that helps.");
    add("words around a fence", "Here it is:\n```json\n" + good + "\n```");
    add("an empty fence", "```json\n```");
    add("words only", "They are calm.");
    add("single quotes", R"({'mood': 'calm', 'level': 3, 'names': [], 'next': {'go': 'attic'}})");
    add("a trailing comma", good.substr(0, good.size() - 1) + ",}");
    add("a comment", "/* calm */ " + good);
    add("nested too deep", with("names", nested(127)));
    add("nested far too deep", with("names", nested(100'000)));
    add("broken UTF-8 in a member's name", "{\"mo\xFFod\": \"calm\", \"level\": 3, \"names\": [], \"next\": {\"go\": \"x\"}}");
    add("blank", " \n\t ");
    add("nothing", "");
    add("null", "null");
    return all;
}

fake::scripted_reply candidate(ai::message content, ai::finish_reason finish, const char* word) {
    return fake::respond(fake::response_of(std::move(content), finish, word));
}

/// Responses that are broken by their form.
std::vector<broken_reply> broken_forms() {
    ai::message odd;
    odd.parts.emplace_back(ai::call_part{.name = "give_answer", .arguments = json::array({1})});
    ai::message thinking;
    thinking.parts.emplace_back(ai::thought_part{.text = good});
    return {{"no candidate", fake::respond({})},
            {"a malformed call", candidate({}, ai::finish_reason::malformed, "MALFORMED_FUNCTION_CALL")},
            {"a blocked answer", candidate(ai::model_message(good), ai::finish_reason::blocked, "SAFETY")},
            {"a thought only", candidate(thinking, ai::finish_reason::stop, "STOP")},
            {"arguments that are a list", candidate(odd, ai::finish_reason::stop, "STOP")},
            {"a call without a name", fake::call("", *ai::parse_json(good))},
            {"a call that was cut", [](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) {
                 ai::message content;
                 content.parts.emplace_back(ai::call_part{.name = "give_answer"});
                 return ai::result<ai::model_response>(fake::response_of(content, ai::finish_reason::length, "MAX_TOKENS"));
             }}};
}

/// Calls of the function that are broken.
std::vector<broken_reply> broken_calls() {
    const json fits = *ai::parse_json(good);
    json wrapped = json::object();
    wrapped["answer"] = fits;
    json misfit = fits;
    misfit["level"] = "3";
    return {{"no arguments", fake::call("give_answer")},
            {"a misfit", fake::call("give_answer", misfit)},
            {"a misfit beside a text", fake::calls({{.name = "give_answer", .arguments = misfit}}, good)},
            {"an answer in an answer", fake::call("give_answer", wrapped)},
            {"two answers", fake::calls({{.name = "give_answer", .arguments = fits}, {.name = "give_answer", .arguments = fits}})},
            {"two answers that differ", fake::calls({{.name = "give_answer", .arguments = fits}, {.name = "give_answer"}})}};
}

/// Calls after which the run goes on without counting an invalid response.
std::vector<broken_reply> other_calls(way chosen) {
    const json fits = *ai::parse_json(good);
    std::vector<broken_reply> all{{"an unknown function", fake::call("give_answers", fits)},
                                  {"an unknown function beside a text", fake::calls({{.name = "say", .arguments = fits}}, good)}};
    if (chosen == way::text) {
        all.push_back({"a call where a text is asked for", fake::call("give_answer", fits)});
    } else {
        all.push_back({"an answer beside an unknown function", fake::calls({{.name = "give_answer", .arguments = fits}, {.name = "say"}})});
    }
    return all;
}

ai::typed_answer<json> answered(way chosen, const std::vector<fake::scripted_reply>& script, ai::limits bounds) {
    agent_bench b{{}, bounds};
    b.model.take_answer_schemas(chosen == way::text);
    for (const fake::scripted_reply& reply : script) {
        b.model.add(reply);
    }
    auto run = b.agent.ask_json("How are they?", schema);
    REQUIRE(b.settle(run) == ai::progress::done);
    return run.reply();
}

}  // namespace

TEST_CASE("a broken reply is repaired within the budget, or is a failure with the reason") {
    int count = 0;
    for (const way chosen : {way::text, way::function}) {
        std::vector<broken_reply> all = broken_texts();
        for (const auto& more : {broken_forms(), chosen == way::function ? broken_calls() : std::vector<broken_reply>{}}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        for (const broken_reply& broken : all) {
            INFO(broken.what << (chosen == way::text ? " as text" : " by a function"));
            ++count;
            const auto repaired = answered(chosen, {broken.model, fake::give(*ai::parse_json(good))}, {});
            REQUIRE(repaired.value);
            CHECK(*repaired.value == *ai::parse_json(good));
            CHECK(repaired.answer.steps == 2);
            CHECK(is_legal_history(repaired.answer.messages));

            const auto refused = answered(chosen, {broken.model}, {.invalid_response_retries = 0});
            REQUIRE_FALSE(refused.value);
            const bool blocked = broken.what == "a blocked answer";
            CHECK(refused.answer.reason == (blocked ? ai::stop_reason::blocked : ai::stop_reason::invalid_response));
            CHECK(refused.value.error().code == (blocked ? ai::errc::not_allowed : ai::errc::bad_response));
            CHECK_FALSE(refused.value.error().message.empty());
            CHECK(refused.answer.text.size() < 2000);
            CHECK(is_legal_history(refused.answer.messages));
        }
    }
    CHECK(count >= 2 * 30);
}

TEST_CASE("a reply with calls that are not the answer goes on, and ends at the limits") {
    for (const way chosen : {way::text, way::function}) {
        for (const broken_reply& other : other_calls(chosen)) {
            INFO(other.what << (chosen == way::text ? " as text" : " by a function"));
            const auto answer = answered(chosen, {other.model, fake::give(*ai::parse_json(good))}, {.invalid_response_retries = 0});
            REQUIRE(answer.value);
            CHECK(answer.answer.steps == 2);
            CHECK(is_legal_history(answer.answer.messages));
            const auto ended = answered(chosen, {other.model, other.model}, {.max_steps = 2});
            CHECK(ended.answer.reason == ai::stop_reason::max_steps);
            CHECK_FALSE(ended.value);
        }
    }
}

TEST_CASE("a fence around the answer, and white space, are removed") {
    for (const way chosen : {way::text, way::function}) {
        for (const std::string& text :
             {"```json\n" + good + "\n```", "```\n" + good + "```", "\n\n```JSON\r\n" + good + "\n```  \n", "\n " + good}) {
            INFO(text);
            CHECK(answered(chosen, {give_text(text)}, {.invalid_response_retries = 0}).value);
        }
    }
}
