#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/core/env.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"
#include "deep_json.hpp"

#include <fstream>
#include <sstream>

using namespace bench;
using ai::json;

namespace {

ai::capability_list ward() {
    json heal = *ai::parse_json(R"({"type": "object", "properties": {"points": {"type": "integer"}}, "required": ["points"]})");
    return *ai::declare({{.name = "look", .description = "Looks.", .effects = ai::effects::read},
                         {.name = "heal", .description = "Heals.", .parameters = heal, .origin = "C++"}});
}

/// A run that has looked, and whose second call waits for a person.
ai::run_machine paused(json answer_schema = {}) {
    const ai::instant start = ai::instant{} + 5s;
    ai::run_machine machine({.run_id = "run-1",
                             .instructions = "Be brief.",
                             .context = "It is dark.",
                             .question = "Am I hurt?",
                             .seed = 7,
                             .answer_schema = std::move(answer_schema)},
                            start);
    machine.feed(ai::input::declarations{ward()}, start);
    ai::message calling = ai::model_message("Let me look.");
    calling.parts.push_back(ai::call_part{.id = "c1", .name = "look"});
    calling.parts.push_back(ai::call_part{.id = "c2", .name = "heal", .arguments = {{"points", 5}}});
    calling.wire = ai::wire_form{.provider = "gemini", .body = {{"role", "model"}}};
    ai::model_response response = fake::response_of(std::move(calling));
    response.usage = {.input_tokens = 100, .output_tokens = 10, .cached_tokens = 1, .thought_tokens = 2};
    machine.feed(ai::input::model_result{.attempt = 1, .outcome = std::move(response)}, start + 1s);
    machine.feed(ai::input::opinions{.all = {{.call = 2, .decision = ai::call_decision::ask("it costs a potion")}}}, start + 1s);
    machine.feed(ai::input::invoking{.call = 1}, start + 1s);
    machine.feed(ai::input::call_reply{.call = 1, .reply = ai::reply_with("a scratch")}, start + 2s);
    while (machine.take_event() != nullptr) {
    }
    return machine;
}

std::string golden(const std::string& name) {
    const std::string path = std::string(PYAICHAT_TEST_DATA) + "/agent/golden/" + name;
    std::ifstream file(path);
    INFO("reading " << path);
    REQUIRE(file);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("a snapshot of today's format is what it was") {
    const std::string now = ai::dump_json(paused().snapshot(ai::instant{} + 8s), 2) + "\n";
    // When this differs on purpose: count up the format, keep the old file, and add the new one.
    if (const std::string path = ai::env("PYAICHAT_RECORD_SNAPSHOT"); !path.empty()) {
        std::ofstream(path) << now;
    }
    CHECK(now == golden("snapshot_3.json"));
}

TEST_CASE("a snapshot of a typed question has a format of its own, is what it was, and goes on to its value") {
    const std::string now = ai::dump_json(paused({{"type", "integer"}}).snapshot(ai::instant{} + 8s), 2) + "\n";
    if (const std::string path = ai::env("PYAICHAT_RECORD_TYPED_SNAPSHOT"); !path.empty()) {
        std::ofstream(path) << now;
    }
    CHECK(now == golden("snapshot_4.json"));

    const ai::instant later = ai::instant{} + 1000s;
    auto machine = ai::run_machine::restore(*ai::parse_json(golden("snapshot_4.json")), later);
    REQUIRE(machine);
    machine->feed(ai::input::declarations{ward()}, later);
    machine->feed(ai::input::decisions{.rulings = {{.call = 2, .decision = ai::call_decision::deny("no")}}}, later);
    machine->feed(ai::input::declarations{ward()}, later);
    const auto* asked = std::get_if<ai::action::call_model>(&machine->next(later));
    REQUIRE(asked != nullptr);
    CHECK(asked->request.answer_function == "give_answer");
    ai::message given = ai::model_message("");
    given.parts = {ai::call_part{.id = "c3", .name = "give_answer", .arguments = {{"answer", 3}}}};
    machine->feed(ai::input::model_result{.attempt = asked->attempt, .outcome = fake::response_of(std::move(given))}, later);
    REQUIRE(machine->finished());
    CHECK(machine->reply()->value == 3);

    json ended = machine->snapshot(later);
    auto again = ai::run_machine::restore(ended, later);
    REQUIRE(again);
    CHECK(again->reply()->value == 3);
    ended["answer"]["value"] = "three";
    CHECK(ai::run_machine::restore(ended, later).error().code == ai::errc::bad_response);
    ended["answer_schema"]["type"] = "three";
    CHECK(ai::run_machine::restore(ended, later).error().code == ai::errc::bad_response);
}

TEST_CASE("snapshots of every format so far are read, and go on") {
    for (const char* name : {"snapshot_1.json", "snapshot_2.json", "snapshot_3.json"}) {
        const ai::instant now = ai::instant{} + 1000s;
        auto machine = ai::run_machine::restore(*ai::parse_json(golden(name)), now);
        REQUIRE(machine);
        CHECK(machine->question() == "Am I hurt?");
        machine->feed(ai::input::declarations{ward()}, now);
        REQUIRE(std::holds_alternative<ai::action::await_approval>(machine->next(now)));
        machine->feed(ai::input::decisions{.rulings = {{.call = 2, .decision = ai::call_decision::allow()}}}, now + 1h);
        REQUIRE(std::holds_alternative<ai::action::invoke_capability>(machine->next(now + 1h)));
        machine->feed(ai::input::call_reply{.call = 2, .reply = ai::reply_with(45)}, now + 1h);
        machine->feed(ai::input::declarations{ward()}, now + 1h);
        const auto& asked = std::get<ai::action::call_model>(machine->next(now + 1h));
        CHECK(asked.request.messages.size() == 3);
        CHECK(asked.request.messages[1].wire->provider == "gemini");
        CHECK(asked.request.instructions == "Be brief.");
        CHECK(machine->deadline() == now + 1h + 8s);
        machine->feed(ai::input::model_result{.attempt = 2, .outcome = fake::response_of(ai::model_message("No longer."))}, now + 1h);
        const ai::answer& reply = std::get<ai::action::finished>(machine->next(now + 1h)).answer;
        CHECK(reply.text == "No longer.");
        CHECK(reply.steps == 2);
        CHECK(reply.usage.total() == 110);
    }
}

TEST_CASE("a snapshot of a later format is refused with both numbers") {
    json later = paused().snapshot({});
    later["format"] = 99;
    const auto refused = ai::run_machine::restore(later, {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::invalid_argument);
    CHECK(refused.error().message.find("99") != std::string::npos);
}

TEST_CASE("a damaged snapshot is a failure or another run, never a crash") {
    const json whole = paused().snapshot(ai::instant{} + 8s);
    CHECK(ai::run_machine::restore(json(), {}).error().code == ai::errc::bad_response);
    int refused = 0;
    int tried = 0;
    const json flat = whole.flatten();
    for (auto place = flat.begin(); place != flat.end(); ++place) {
        for (const json& other : {json(), json(-1), json(1e300), json("x"), json::array(), json::object(), json(true)}) {
            json damaged = whole;
            damaged[json::json_pointer(place.key())] = other;
            ++tried;
            auto machine = ai::run_machine::restore(damaged, {});
            if (!machine) {
                CHECK(machine.error().code == ai::errc::bad_response);
                ++refused;
                continue;
            }
            machine->feed(ai::input::declarations{ward()}, {});
            machine->feed(ai::input::decisions{.rulings = {{.call = 2, .decision = ai::call_decision::allow()}}}, {});
            static_cast<void>(machine->next({}));
            machine->feed(ai::input::cancel{}, {});
            CHECK(machine->finished());
        }
    }
    CHECK(refused > tried / 2);
    // Replies go back to the calls that were made.
    json other_calls = whole;
    other_calls["calls"][1]["call"]["id"] = "of another";
    CHECK_FALSE(ai::run_machine::restore(other_calls, {}));
    json fewer_calls = whole;
    fewer_calls["calls"].erase(0);
    CHECK_FALSE(ai::run_machine::restore(fewer_calls, {}));
    // A call cannot be slipped past its approval by hand.
    json forged = whole;
    forged["calls"][1]["stage"] = "gated";
    CHECK_FALSE(ai::run_machine::restore(forged, {}));
}

TEST_CASE("a snapshot whose messages no provider accepts is refused") {
    const json whole = paused().snapshot(ai::instant{} + 8s);
    REQUIRE(ai::run_machine::restore(whole, {}));
    for (const auto& [place, value] :
         {std::pair{"/messages/0/role", json("model")}, {"/messages/0/parts", json::array()}, {"/messages/0/parts/0/text", json(" ")}}) {
        json damaged = whole;
        REQUIRE(damaged.contains(json::json_pointer(place)));
        damaged[json::json_pointer(place)] = value;
        const auto refused = ai::run_machine::restore(damaged, {});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message.find("no provider accepts") != std::string::npos);
    }
}

TEST_CASE("a decision does not hold for a capability that was declared anew meanwhile") {
    auto machine = ai::run_machine::restore(paused().snapshot(ai::instant{} + 8s), {});
    REQUIRE(machine);
    const ai::capability_list changed = *ai::declare({{.name = "look", .description = "Looks.", .effects = ai::effects::read},
                                                      {.name = "heal", .description = "Kills.", .effects = ai::effects::once}});
    machine->feed(ai::input::declarations{changed}, {});
    machine->feed(ai::input::declarations{changed}, {});
    REQUIRE(std::holds_alternative<ai::action::call_model>(machine->next({})));
    CHECK(codes_in(std::get<ai::action::call_model>(machine->next({})).request.messages) == std::vector<std::string>{"ok", "denied"});
}

TEST_CASE("a history that nests too deep to be copied is repaired, and the run can be written down") {
    agent_bench b{fake::say("Done.")};
    ai::message calling{.role = ai::role::model};
    calling.parts.emplace_back(ai::call_part{.id = "1", .name = "look", .arguments = nested_objects()});
    ai::message replying;
    replying.parts.emplace_back(ai::response_part{.id = "1", .name = "look", .response = nested_objects()});
    ai::conversation history;
    history.push_back(ai::user_message("Look."));
    history.push_back(std::move(calling));
    history.push_back(std::move(replying));
    history.push_back(ai::model_message("Nothing there."));
    ai::pumped_run run = b.agent.ask(ai::run_request{.question = "And now?", .history = std::move(history)});
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "Done.");
    CHECK(is_legal_history(run.reply().messages));
    CHECK(run.snapshot().is_object());
}

TEST_CASE("a run goes on in another agent, from its snapshot") {
    agent_bench first{fake::call("heal"), fake::say("not asked")};
    first.offer("heal", [] { return 1; });
    first.agent.options().approval = ai::ask_before_effects;
    ai::pumped_run run = first.ask();
    CHECK(first.settle(run) == ai::progress::awaiting_approval);
    const json written = run.snapshot();

    agent_bench second{fake::say("Better.")};
    int healed = 0;
    second.offer("heal", [&] { return ++healed; });
    second.clock.advance(1h);
    auto restored = second.agent.restore(written, ai::on{[&](const ai::event& one) { second.events(one); }});
    REQUIRE(restored);
    CHECK(second.settle(*restored) == ai::progress::awaiting_approval);
    REQUIRE(restored->pending().size() == 1);
    REQUIRE(restored->resume(restored->pending()[0].call.number, ai::call_decision::allow()));
    CHECK(second.settle(*restored) == ai::progress::done);
    CHECK(restored->reply().text == "Better.");
    CHECK(healed == 1);
    // Its events go on where the first one's stopped.
    CHECK(second.events.events().front().number == first.events.events().back().number + 1);
    CHECK_FALSE(second.agent.restore(json("nonsense")));
}
