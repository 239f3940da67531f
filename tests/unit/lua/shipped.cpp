// Every plugin that is shipped, through the whole loop: a scripted model, the gate, the sandbox, hooks and the reply to the model.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/lua/hooks.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "agent_bench.hpp"
#include "lua_bench.hpp"
#include "parsed.hpp"

using namespace lua_bench;
namespace fake = pyaichat::testing;

namespace {

/// An agent with one shipped plugin and its hooks.
struct shipped {
    shipped(const std::string& name, std::initializer_list<fake::scripted_reply> script) : model(script) {
        const ai::result<void> added = plugins.add_file(std::string(PYAICHAT_PLUGINS) + "/" + name + ".lua");
        INFO((added ? std::string() : added.error().message));
        REQUIRE(added);
        REQUIRE(agent.capabilities().add(plugins));
        agent.options().hooks.push_back(lua::hooks(plugins));
        agent.options().approval = ai::allow_all;
    }

    ai::answer ask(const std::string& question = "question") {
        ai::pumped_run run = agent.ask(question);
        for (;;) {
            const ai::progress reached = run.pump();
            if (reached == ai::progress::done || (reached != ai::progress::working && !background.run_one())) {
                break;
            }
        }
        REQUIRE(run.done());
        return run.reply();
    }

    /// The replies that the model was given.
    std::vector<ai::json> replies(const ai::answer& answer) {
        std::vector<ai::json> found;
        for (const std::string& one : bench::replies_in(answer.messages)) {
            found.push_back(*ai::parse_json(one));
        }
        return found;
    }

    std::vector<lua::notice> told = {};
    lua::plugins plugins{{.sandbox = patient(), .notify = [this](const lua::notice& one) { told.push_back(one); }}};
    fake::manual_clock clock = {};
    fake::manual_executor background = {};
    fake::scripted_provider model;
    bench::agent_bench::agent_type agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{.seed = 1}, ai::borrow(clock),
                                         ai::borrow(background)};
};

}  // namespace

TEST_CASE("dice.lua rolls dice and draws from tables") {
    shipped dice("dice", {fake::calls({{.name = "roll_dice", .arguments = support::parsed(R"({"dice":"3d6+2"})")},
                                       {.name = "roll_dice", .arguments = support::parsed(R"({"dice":"3e6"})")},
                                       {.name = "roll_table", .arguments = support::parsed(R"({"table":"weather"})")},
                                       {.name = "roll_table", .arguments = support::parsed(R"({"table":"monsters"})")}}),
                          fake::say("Done.")});
    const std::vector<ai::json> replies = dice.replies(dice.ask());
    REQUIRE(replies.size() == 4);
    const ai::json& rolled = replies[0]["result"];
    REQUIRE(rolled["rolls"].size() == 3);
    int total = 2;
    for (const ai::json& one : rolled["rolls"]) {
        CHECK(*ai::as_integer(one) >= 1);
        CHECK(*ai::as_integer(one) <= 6);
        total += static_cast<int>(*ai::as_integer(one));
    }
    CHECK(rolled["total"] == total);
    CHECK(replies[1]["error"]["message"] == "write 1 to 100 dice of 2 to 1000 sides, such as 2d6+1");
    CHECK(replies[2]["result"].is_string());
    CHECK(replies[3]["error"]["message"] == "there is no such table; there are: rumour, weather");
}

TEST_CASE("units.lua converts, and says what does not go together") {
    shipped units("units",
                  {fake::calls({{.name = "convert_units", .arguments = support::parsed(R"({"value":5,"from":"km","to":"mi"})")},
                                {.name = "convert_units", .arguments = support::parsed(R"({"value":68,"from":"F","to":"C"})")},
                                {.name = "convert_units", .arguments = support::parsed(R"({"value":1,"from":"kg","to":"m"})")},
                                {.name = "convert_units", .arguments = support::parsed(R"({"value":1,"from":"kg","to":"stone"})")}}),
                   fake::say("Done.")});
    const std::vector<ai::json> replies = units.replies(units.ask());
    REQUIRE(replies.size() == 4);
    CHECK(replies[0]["result"]["text"] == "5 km = 3.10686 mi");
    CHECK(replies[1]["result"]["text"] == "68 F = 20 C");
    CHECK(replies[2]["error"]["message"] == "kg is a unit of mass and m one of length");
    CHECK(replies[3]["error"]["code"] == "invalid_args");
}

TEST_CASE("doors.lua opens what is not locked") {
    shipped doors("doors", {fake::calls({{.name = "open_door", .arguments = support::parsed(R"({"id":"attic"})")},
                                         {.name = "open_door", .arguments = support::parsed(R"({"id":"cellar"})")}}),
                            fake::say("Done.")});
    const std::vector<ai::json> replies = doors.replies(doors.ask());
    REQUIRE(replies.size() == 2);
    CHECK(ai::dump_json(replies[0]["result"]) == R"({"opened":true,"was":"closed"})");
    CHECK(replies[1]["error"]["message"] == "it is locked; set `force`");
}

TEST_CASE("redact.lua takes secrets out of replies before the model sees them") {
    shipped redact("redact", {fake::calls({{.name = "config"}, {.name = "broken"}}), fake::say("Done.")});
    REQUIRE(redact.agent.capabilities().add(ai::capability("config", "x", [] {
        return support::parsed(
            R"({"key":"sk-abc123","list":[{"password":"none"},"Password: hunter2 ok"],"card":"4111 1111 1111 1111","n":7,"e":[]})");
    })));
    REQUIRE(redact.agent.capabilities().add(ai::capability("broken", "x", []() -> ai::result<int> {
        return ai::failure{.code = ai::errc::not_found, .message = "m", .hint = "no file for Bearer abc.def"};
    })));
    const std::vector<ai::json> replies = redact.replies(redact.ask());
    REQUIRE(replies.size() == 2);
    CHECK(ai::dump_json(replies[0]["result"]) ==
          R"({"card":"[card number]","e":[],"key":"[key]","list":[{"password":"none"},"Password: [password] ok"],"n":7})");
    CHECK(replies[1]["error"]["message"] == "no file for Bearer [token]");
    CHECK(redact.told.empty());
}

TEST_CASE("rules.lua denies, and asks a person") {
    shipped rules("rules", {fake::calls({{.name = "delete_save"}, {.name = "look"}}), fake::say("Done.")});
    int deleted = 0;
    REQUIRE(rules.agent.capabilities().add(ai::capability("delete_save", "x", [&] { return ++deleted; })));
    REQUIRE(rules.agent.capabilities().add(ai::capability("look", "x", [] { return 1; }).with(ai::effects::read)));
    const std::vector<ai::json> replies = rules.replies(rules.ask());
    REQUIRE(replies.size() == 2);
    CHECK(replies[0]["error"]["code"] == "denied");
    CHECK(replies[0]["error"]["message"] == "nothing is deleted here; say what should go, and a person will do it");
    CHECK(replies[1]["result"] == 1);
    CHECK(deleted == 0);

    shipped asks("rules", {fake::call("send_mail"), fake::say("Done.")});
    REQUIRE(asks.agent.capabilities().add(ai::capability("send_mail", "x", [] { return 1; })));
    ai::pumped_run run = asks.agent.ask("question");
    ai::progress reached = run.pump();
    while (reached != ai::progress::awaiting_approval && (reached == ai::progress::working || asks.background.run_one())) {
        reached = run.pump();
    }
    CHECK(reached == ai::progress::awaiting_approval);
}

TEST_CASE("journal.lua writes down what was asked, called and answered") {
    shipped journal("journal", {fake::call("look"), fake::say("It is dark.")});
    REQUIRE(journal.agent.capabilities().add(ai::capability("look", "x", [] { return 1; })));
    const ai::answer answer = journal.ask("What do you see?");
    CHECK(answer.text == "It is dark.");
    std::vector<std::string> lines;
    for (const lua::notice& one : journal.told) {
        CHECK(one.what == lua::notice::kind::log);
        lines.push_back(one.text);
    }
    CHECK(lines == std::vector<std::string>{"1 question: What do you see?", "2 call: look", "3 answer: It is dark."});
    CHECK(journal.plugins.reload().empty());
    journal.told.clear();
    journal.model.add(fake::say("It is cut", ai::finish_reason::length));
    const ai::answer cut = journal.ask("And now?");
    CHECK(journal.told.at(0).text == "4 question: And now?");
    CHECK(cut.text.find("(journal: this run ended early: truncated)") != std::string::npos);
}

TEST_CASE("a plugin's call of another capability goes through the run: shown, gated and answered") {
    shipped bench("doors", {fake::calls({{.name = "ask_around"}, {.name = "ask_for_more"}}), fake::say("Done.")});
    REQUIRE(bench.plugins.add_text("talk.lua", R"lua(
        return { name = "talk", api = 1, uses = { "look", "shout" }, capabilities = {
            { name = "ask_around", description = "x", effects = "read", run = function(args, ctx) return { seen = ctx.call("look", {}) } end },
            { name = "ask_for_more", description = "x", effects = "read", run = function(args, ctx)
                local value, why = ctx.call("shout", {})
                return nil, why
            end },
        } }
    )lua"));
    bench.plugins.grant({"look", "shout"});
    int shouted = 0;
    REQUIRE(bench.agent.capabilities().add(ai::capability("look", "x", [] { return "a cat"; })));
    REQUIRE(bench.agent.capabilities().add(ai::capability("shout", "x", [&] { return ++shouted; })));
    bench.agent.options().approval = [](const ai::proposed_call& call) {
        return call.name == "shout" ? ai::call_decision::deny("it is night") : ai::call_decision::allow();
    };
    const ai::answer answer = bench.ask();
    const std::vector<ai::json> replies = bench.replies(answer);
    REQUIRE(replies.size() == 2);
    CHECK(ai::dump_json(replies[0]["result"]) == R"({"seen":"a cat"})");
    CHECK(replies[1]["error"]["message"] == "it is night");
    CHECK(shouted == 0);
    int looks = 0;
    for (const ai::event& one : answer.events) {
        const auto* started = one.as<ai::call_started>();
        looks += started != nullptr && started->name == "look" ? 1 : 0;
    }
    CHECK(looks == 1);
}
