// Questions whose answer has a schema, in both ways: as a text that the service holds to the schema, and by a function.
#include <pyaichat/agent/typed_run.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace bench;

namespace typed_run_tests {
using ai::json;

namespace {

struct place {
    std::string name = {};
    int floor = 0;
};
struct plan {
    std::string title = {};
    std::vector<place> stops = {};
    std::optional<double> hours = {};
};

json parsed(const char* text) {
    return *ai::parse_json(text);
}

const json good = parsed(R"({"title": "A walk", "stops": [{"name": "hall", "floor": 0}, {"name": "attic", "floor": 3}], "hours": 1.5})");

enum class way { text, function };

/// The bench, with questions that have a schema.
struct typed_bench : agent_bench {
    typed_bench(way chosen, std::initializer_list<fake::scripted_reply> script, ai::limits bounds = {}) : agent_bench(script, bounds) {
        model.take_answer_schemas(chosen == way::text);
    }

    template <class T = plan>
    ai::typed_answer<T> ask_for(ai::run_request request = {.question = "Where to?"}) {
        auto run = agent.ask_for<T>(std::move(request), ai::on{[this](const ai::event& one) { events(one); }});
        REQUIRE(settle(run) == ai::progress::done);
        return run.reply();
    }
    ai::typed_answer<json> ask_json(json schema) {
        auto run = agent.ask_json("Where to?", std::move(schema), ai::on{[this](const ai::event& one) { events(one); }});
        REQUIRE(settle(run) == ai::progress::done);
        return run.reply();
    }
};

/// The text that asks for the answer again, and is put before the replies or after the question.
std::string corrections_in(const ai::conversation& messages) {
    std::string all;
    for (const ai::message& one : messages) {
        for (const ai::part& piece : one.parts) {
            const auto* text = piece.as<ai::text_part>();
            all += text != nullptr && one.role == ai::role::user ? text->text + "\n" : "";
        }
    }
    return all;
}

}  // namespace

TEST_CASE("a question for a struct is answered by a struct, in both ways") {
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::give(good)}};
        const ai::typed_answer<plan> reply = b.ask_for();
        REQUIRE(reply.value);
        CHECK(reply.value->title == "A walk");
        REQUIRE(reply.value->stops.size() == 2);
        CHECK(reply.value->stops[1].floor == 3);
        CHECK(reply.value->hours == 1.5);
        CHECK(reply.answer.reason == ai::stop_reason::complete);
        CHECK(reply.answer.value == good);
        CHECK(reply.answer.text == ai::dump_json(good));
        CHECK(is_legal_history(reply.answer.messages));
        CHECK(reply.answer.messages.back().text() == reply.answer.text);
        const ai::model_request sent = b.model.requests()[0];
        CHECK((sent.answer_schema != nullptr) == (chosen == way::text));
        CHECK(sent.answer_function == (chosen == way::text ? "" : "give_answer"));
        CHECK(sent.declarations.size() == (chosen == way::text ? 0 : 1));
        CHECK((sent.instructions == "Be brief.") == (chosen == way::text));
    }
}

TEST_CASE("a typed question takes capabilities and a history, and its answer is the history of the next question") {
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::call("floors"), fake::give(good), fake::say("Up.")}};
        b.offer("floors", [] { return 4; });
        const ai::typed_answer<plan> reply = b.ask_for();
        REQUIRE(reply.value);
        CHECK(reply.answer.steps == 2);
        const ai::conversation history = reply.answer.messages;
        CHECK(is_legal_history(history));
        ai::pumped_run next = b.agent.ask({.question = "Which way?", .history = history});
        REQUIRE(b.settle(next) == ai::progress::done);
        CHECK(next.reply().text == "Up.");
        CHECK_FALSE(next.reply().value);
        CHECK(b.model.requests()[2].answer_function.empty());
        CHECK(b.model.requests()[2].answer_schema == nullptr);
        CHECK(ai::check_history(b.model.requests()[2].messages).empty());
    }
}

TEST_CASE("values that are no objects are asked for in both ways") {
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::give(42), fake::give("yes"), fake::give({"a", "b"}), fake::give(true), fake::give(nullptr)}};
        CHECK(b.ask_for<int>().value.value_or(0) == 42);
        CHECK(b.ask_for<std::string>().value.value_or("") == "yes");
        CHECK(b.ask_for<std::vector<std::string>>().value.value_or(std::vector<std::string>{}).size() == 2);
        CHECK(b.ask_for<bool>().value.value_or(false));
        const ai::typed_answer<json> none = b.ask_json({{"type", "null"}});
        REQUIRE(none.value);
        CHECK(none.value->is_null());
        CHECK(none.answer.value.has_value());
    }
}

TEST_CASE("the references of a schema hold when the answer is an argument of the function") {
    const json schema = parsed(R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": [{"$ref": "#/$defs/leaf"},
        {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "$ref": {"const": {"$ref": "#/x"}}},
         "required": ["children"], "additionalProperties": false}], "$defs": {"leaf": {"type": "integer"}}})");
    typed_bench b{way::function,
                  {fake::give(parsed(R"({"children": [1, {"children": []}]})")), fake::give(parsed(R"({"children": ["x"]})"))}};
    CHECK(b.ask_json(schema).value);
    const json sent = b.model.requests()[0].declarations.find("give_answer")->parameters;
    CHECK(sent["properties"]["answer"]["anyOf"][0]["$ref"] == "#/properties/answer/$defs/leaf");
    CHECK(sent["properties"]["answer"]["anyOf"][1]["properties"]["children"]["items"]["$ref"] == "#/properties/answer");
    CHECK(sent["properties"]["answer"]["anyOf"][1]["properties"]["$ref"]["const"]["$ref"] == "#/x");
    CHECK(sent["$schema"] == schema["$schema"]);
    CHECK(b.model.requests()[0].declarations.validate("give_answer", parsed(R"({"answer": {"children": [1, {"children": []}]}})")).empty());
    CHECK_FALSE(b.model.requests()[0].declarations.validate("give_answer", parsed(R"({"answer": {"children": ["x"]}})")).empty());
    CHECK_FALSE(b.ask_json(schema).value);
}

TEST_CASE("a schema that cannot be used refuses the run before the first model call") {
    typed_bench b{way::function, {}};
    const ai::typed_answer<json> reply = b.ask_json({{"type", "plan"}});
    CHECK(reply.answer.reason == ai::stop_reason::misconfigured);
    REQUIRE_FALSE(reply.value);
    CHECK(reply.value.error().code == ai::errc::invalid_argument);
    CHECK(reply.answer.text.find("JSON Schema of the answer") != std::string::npos);
    CHECK(b.model.request_count() == 0);
}

TEST_CASE("the function has a name that no capability has") {
    typed_bench b{way::function, {fake::give(good)}};
    b.offer("give_answer", [] { return 1; });
    b.offer("give_answer_2", [] { return 1; });
    CHECK(b.ask_for().value);
    CHECK(b.model.requests()[0].answer_function == "give_answer_3");
}

TEST_CASE("without calls, the function of the answer is the only one, and the model must call it") {
    typed_bench b{way::function, {fake::give(good)}};
    b.offer("floors", [] { return 4; });
    CHECK(b.ask_for({.question = "Where to?", .mode = ai::tool_mode::none}).value);
    CHECK(b.model.requests()[0].declarations.size() == 1);
    CHECK(b.model.requests()[0].mode == ai::tool_mode::required);
}

TEST_CASE("an answer that does not fit is asked for again, with what the validator says") {
    const json bad = parsed(R"({"title": "A walk", "stops": [{"name": "hall", "floor": "ground"}]})");
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::give(bad), fake::give(good)}};
        const ai::typed_answer<plan> reply = b.ask_for();
        CHECK(reply.value);
        CHECK(reply.answer.steps == 2);
        const ai::conversation asked = b.model.requests()[1].messages;
        const std::string told = chosen == way::text ? corrections_in(asked) : replies_in(asked).at(0);
        CHECK(told.find("`/stops/0/floor`") != std::string::npos);
        CHECK(told.find("(type)") != std::string::npos);
        CHECK(is_legal_history(reply.answer.messages));
    }
}

TEST_CASE("the budget for invalid responses bounds how often an answer is asked for again") {
    const json bad = parsed(R"({"title": 3})");
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::give(bad), fake::give(bad), fake::give(good)}, {.invalid_response_retries = 1}};
        const ai::typed_answer<plan> reply = b.ask_for();
        CHECK(reply.answer.reason == ai::stop_reason::invalid_response);
        CHECK(b.model.request_count() == 2);
        REQUIRE_FALSE(reply.value);
        CHECK(reply.value.error().code == ai::errc::bad_response);
        CHECK(reply.value.error().message.find("(type)") != std::string::npos);
        CHECK_FALSE(reply.answer.value);
        CHECK(is_legal_history(reply.answer.messages));
    }
}

TEST_CASE("where a call is asked for, a text is asked for again with the name of the function, which is then required") {
    typed_bench b{way::function, {fake::say("To the attic."), fake::give(good)}};
    CHECK(b.ask_for().value);
    CHECK(b.model.requests()[0].mode == ai::tool_mode::automatic);
    CHECK(b.model.requests()[1].mode == ai::tool_mode::required);
    CHECK(corrections_in(b.model.requests()[1].messages).find("call `give_answer`") != std::string::npos);
}

TEST_CASE("where a call is asked for, a text that is the answer as JSON is taken") {
    typed_bench b{way::function, {fake::say("```json\n" + ai::dump_json(good, 2) + "\n```")}};
    const ai::typed_answer<plan> reply = b.ask_for();
    CHECK(reply.value);
    CHECK(reply.answer.text == ai::dump_json(good));
    CHECK(reply.answer.messages.back().text().starts_with("```"));  // as the model sent it
}

TEST_CASE("an answer beside other calls is not taken: they run first") {
    typed_bench b{way::function,
                  {fake::calls({{.id = "1", .name = "look"}, {.id = "2", .name = "give_answer", .arguments = good}}), fake::give(good)}};
    int looked = 0;
    b.offer("look", [&] { return ++looked; });
    const ai::typed_answer<plan> reply = b.ask_for();
    CHECK(reply.value);
    CHECK(looked == 1);
    CHECK(reply.answer.steps == 2);
    CHECK(codes_in(b.model.requests()[1].messages) == std::vector<std::string>{"ok", "denied"});
    CHECK(b.model.requests()[1].mode == ai::tool_mode::automatic);
}

TEST_CASE("hooks and approval policies do not see the call that gives the answer") {
    struct watching {
        std::vector<std::string>* seen;
        [[nodiscard]] ai::call_decision before_call(const ai::proposed_call& call) const {
            seen->push_back(call.name);
            return {};
        }
    };
    std::vector<std::string> seen;
    std::vector<std::string> decided;
    typed_bench b{way::function, {fake::call("look"), fake::give({1}), fake::give(good)}};
    b.offer("look", [] { return 1; });
    b.agent.options().hooks.emplace_back(watching{&seen});
    b.agent.options().approval = [&](const ai::proposed_call& call) {
        decided.push_back(call.name);
        return ai::call_decision::allow();
    };
    CHECK(b.ask_for().value);
    CHECK(seen == std::vector<std::string>{"look"});
    CHECK(decided == seen);
}

TEST_CASE("a nested call cannot give the answer") {
    typed_bench b{way::function, {fake::call("outer"), fake::give(good)}};
    std::string code;
    REQUIRE(
        b.agent.capabilities().add(ai::capability("outer", "A test.", [&](const ai::capability_call& call, ai::capability_responder done) {
            call.others("give_answer", good,
                        ai::capability_responder([&code, done = std::move(done)](ai::capability_reply&& reply) mutable {
                            code = to_string(reply.code);
                            done(ai::reply_with(1));
                        }));
        })));
    CHECK(b.ask_for().value);
    CHECK(code == "unknown_function");
}

TEST_CASE("the limits of calls do not keep the answer away") {
    typed_bench b{
        way::function, {fake::calls({{.name = "look"}, {.name = "look"}}), fake::give(good)}, {.max_calls_per_step = 1, .max_calls = 1}};
    b.offer("look", [] { return 1; });
    CHECK(b.ask_for().value);
}

TEST_CASE("a run that ends early has no value, but a failure with the reason") {
    struct ending {
        fake::scripted_reply model;
        ai::limits bounds;
        ai::stop_reason reason;
        ai::errc code;
        std::string word;
    };
    ai::model_response blocked;
    blocked.prompt_block = "SAFETY";
    const std::string cut = ai::dump_json(good).substr(0, 30);
    for (const way chosen : {way::text, way::function}) {
        for (const ending& each : std::vector<ending>{
                 {fake::say("42", ai::finish_reason::length), {}, ai::stop_reason::truncated, ai::errc::bad_response, "truncated"},
                 {fake::say(cut, ai::finish_reason::length), {}, ai::stop_reason::truncated, ai::errc::bad_response, "truncated"},
                 {fake::say("I cannot.", ai::finish_reason::unanswered),
                  {},
                  ai::stop_reason::unanswered,
                  ai::errc::not_found,
                  "unanswered"},
                 {fake::respond(blocked), {}, ai::stop_reason::blocked, ai::errc::not_allowed, "blocked"},
                 {fake::call("look"), {.max_steps = 1}, ai::stop_reason::max_steps, ai::errc::too_large, "max_steps"},
                 {fake::fail(ai::errc::authentication), {}, ai::stop_reason::provider_failed, ai::errc::authentication, "authentication"},
                 {fake::fail(ai::errc::quota_exhausted), {}, ai::stop_reason::rate_limited, ai::errc::quota_exhausted, "quota"}}) {
            INFO(to_string(each.reason));
            typed_bench b{chosen, {each.model}, each.bounds};
            b.offer("look", [] { return 1; });
            const ai::typed_answer<int> reply = b.ask_for<int>();
            CHECK(reply.answer.reason == each.reason);
            CHECK_FALSE(reply.answer.value);
            REQUIRE_FALSE(reply.value);
            CHECK(reply.value.error().code == each.code);
            CHECK(reply.value.error().message.find(each.word) != std::string::npos);
        }
    }
}

TEST_CASE("a typed run that is cancelled, times out or has not ended has no value") {
    typed_bench b{way::text, {}};
    auto run = b.agent.ask_for<int>("How many?");
    CHECK(run.reply().value.error().code == ai::errc::invalid_state);
    CHECK(run.pump() == ai::progress::waiting);
    run.cancel();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().value.error().code == ai::errc::cancelled);
    auto late = b.agent.ask_for<int>("How many?");
    CHECK(late.pump() == ai::progress::waiting);
    b.clock.advance(1h);
    CHECK(late.pump() == ai::progress::done);
    CHECK(late.reply().value.error().code == ai::errc::timeout);
    CHECK(ai::typed_run<int>().reply().value.error().code == ai::errc::invalid_state);
    CHECK(ai::typed_run<int>().wait().value.error().code == ai::errc::invalid_state);
}

TEST_CASE("a value that its schema allows and its type does not is a failure, and the answer is not complete") {
    for (const way chosen : {way::text, way::function}) {
        typed_bench b{chosen, {fake::give(parsed("1e20"))}, {.invalid_response_retries = 0}};
        const ai::typed_answer<long long> reply = b.ask_for<long long>();
        REQUIRE_FALSE(reply.value);
        CHECK(reply.value.error().code == ai::errc::bad_response);
        CHECK(reply.answer.reason == ai::stop_reason::invalid_response);
        CHECK(reply.answer.text.find("integer") != std::string::npos);
        CHECK_FALSE(reply.answer.value);
    }
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a provider that throws when it is asked about a schema gets the function") {
    struct throwing : fake::scripted_provider {
        using fake::scripted_provider::scripted_provider;
        [[nodiscard]] bool takes_answer_schema(const json&) const { throw std::runtime_error("no"); }
    };
    fake::manual_clock clock;
    fake::manual_executor background;
    ai::basic_agent agent{throwing{fake::give(42)}, ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};
    auto run = agent.ask_for<int>("How many?");
    while (run.pump() != ai::progress::done) {
        REQUIRE(background.run_one());
    }
    CHECK(run.reply().value.value_or(0) == 42);
}
#endif

TEST_CASE("what hooks add to the text of a typed answer is not in its value") {
    struct noting {
        [[nodiscard]] std::string on_answer(const ai::closing_answer&) const { return "noted"; }
    };
    typed_bench b{way::text, {fake::give(42)}};
    b.agent.options().hooks.emplace_back(noting{});
    const ai::typed_answer<int> reply = b.ask_for<int>();
    CHECK(reply.value.value_or(0) == 42);
    CHECK(reply.answer.text == "42\n\nnoted");
}

TEST_CASE("a typed question goes on after a crash, with a provider that has the other way") {
    std::vector<ai::journal_record> records;
    {
        typed_bench b{way::text, {fake::call("look"), fake::hang()}};
        b.offer("look", [] { return 1; });
        b.agent.options().journal = kept_records{&records};
        auto run = b.agent.ask_for<int>("How many?");
        while (records.size() < 6 && run.pump() != ai::progress::done && b.model.request_count() < 2) {
            if (b.model.request_count() == 0) {
                b.background.run_one();
            }
        }
        b.background.drop_all();
    }
    typed_bench b{way::function, {fake::give(42)}};
    b.offer("look", [] { return 1; });
    auto recovered = b.agent.recover(records);
    REQUIRE(recovered);
    ai::typed_run<int, ai::pumped_run> run(std::move(*recovered));
    REQUIRE(b.settle(run) == ai::progress::done);
    CHECK(run.reply().value.value_or(0) == 42);
    CHECK(b.model.requests().at(0).answer_function == "give_answer");
    CHECK(ai::find_member(records.at(0).content, "setup")->contains("answer_schema"));
    CHECK(ai::integer_member(records.at(0).content, "format") == 4);
}

TEST_CASE("a run without a schema has no value") {
    agent_bench b{{fake::say("42")}};
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::done);
    CHECK_FALSE(run.reply().value);
    const ai::typed_run<int, ai::pumped_run> typed(std::move(run));
    CHECK(typed.reply().value.error().code == ai::errc::invalid_state);
}

TEST_CASE("streamed text shows the value as it grows, and at last the whole value") {
    typed_bench b{way::text, {fake::stream({R"({"title": "A w)", R"(alk", "st)", R"(ops": [{"name": "hall", )", R"("floor": 0}]})"})}};
    const ai::typed_answer<plan> reply = b.ask_for();
    REQUIRE(reply.value);
    std::vector<std::string> shown;
    for (const ai::event& one : reply.answer.events) {
        if (const auto* partial = one.as<ai::partial_value>()) {
            shown.push_back(ai::dump_json(partial->value));
        }
    }
    CHECK(shown == std::vector<std::string>{R"({"title":"A w"})", R"({"title":"A walk"})",
                                            R"({"stops":[{"name":"hall"}],"title":"A walk"})",
                                            R"({"stops":[{"floor":0,"name":"hall"}],"title":"A walk"})",
                                            R"({"stops":[{"floor":0,"name":"hall"}],"title":"A walk"})"});
}

TEST_CASE("an answer that was streamed and does not fit is withdrawn, and begins anew") {
    typed_bench b{way::text, {fake::stream({R"({"title": "A walk", )", R"("stops": 3})"}), fake::stream({ai::dump_json(good)})}};
    const ai::typed_answer<plan> reply = b.ask_for();
    REQUIRE(reply.value);
    std::vector<std::string> names;
    for (const ai::event& one : reply.answer.events) {
        if (one.as<ai::partial_value>() != nullptr || one.as<ai::step_withdrawn>() != nullptr) {
            names.emplace_back(ai::event_name(one));
        }
    }
    CHECK(names == std::vector<std::string>{"partial_value", "partial_value", "step_withdrawn", "partial_value", "partial_value"});
}

TEST_CASE("by a function, the value is shown once, when the call has come") {
    typed_bench b{way::function, {fake::stream({"I shall say ", "{}"}), fake::give(good)}};
    const ai::typed_answer<plan> reply = b.ask_for();
    int shown = 0;
    for (const ai::event& one : reply.answer.events) {
        shown += one.as<ai::partial_value>() != nullptr ? 1 : 0;
        CHECK(one.as<ai::calls_proposed>() == nullptr);
    }
    CHECK(shown == 1);
}

TEST_CASE("a long stream shows its value by an amount that is in proportion to its length") {
    const auto shown_bytes = [](int elements) {
        std::vector<std::string> pieces{"[0"};
        for (int i = 1; i < elements; ++i) {
            pieces.push_back("," + std::to_string(i % 10));
        }
        pieces.emplace_back("]");
        typed_bench b{way::text, {fake::stream(pieces)}, {.total_timeout = 1h}};
        const ai::typed_answer<std::vector<int>> reply = b.ask_for<std::vector<int>>();
        REQUIRE(reply.value);
        REQUIRE(std::cmp_equal(reply.value->size(), elements));
        std::size_t bytes = 0;
        for (const ai::event& one : reply.answer.events) {
            const auto* partial = one.as<ai::partial_value>();
            bytes += partial != nullptr ? ai::dump_json(partial->value).size() : 0;
        }
        return bytes;
    };
    CHECK(shown_bytes(2000) < 2000 * 2 * 12);
    CHECK(shown_bytes(8000) < 8000 * 2 * 12);
}

}  // namespace typed_run_tests
