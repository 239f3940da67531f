#include "agent_bench.hpp"
#include "catch.hpp"
#include "deep_json.hpp"

#include <thread>

using namespace bench;
using ai::json;

namespace {

/// Answers each call by making another one, and wraps what comes back.
struct relay {
    std::string to;
    json arguments = json::object();
    bool deep = false;
    ai::result<ai::capability_list> declared = ai::declare({{.name = "relay", .description = "Relays.", .effects = ai::effects::read}});
    [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) {
        auto waiting = std::make_shared<ai::capability_responder>(std::move(responder));
        if (!call.others) {
            (*waiting)(ai::reply_with("too deep"));
            return;
        }
        call.others(to, deep ? nested_objects() : arguments, ai::capability_responder([waiting](ai::capability_reply reply) {
                        (*waiting)(ai::reply_with(reply.ok() ? reply.result : json(std::string(to_string(reply.code)))));
                    }));
    }
};

/// A run in which the model calls the relay once; what the model is told of it.
std::string relayed(agent_bench& bench, relay through) {
    REQUIRE(bench.agent.capabilities().add(std::move(through)));
    const ai::answer reply = bench.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(is_legal_history(reply.messages));
    return replies_in(reply.messages).at(0);
}

}  // namespace

TEST_CASE("a capability calls another one, which is shown and counted like the model's calls") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    bench.offer("add", [](int n) { return n + 1; }, ai::arg{"n", "a number"});
    CHECK(relayed(bench, {.to = "add", .arguments = {{"n", 41}}}) == R"({"ok":true,"result":42})");
    const auto started = bench.events.all<ai::call_started>();
    REQUIRE(started.size() == 2);
    CHECK(started[0].name == "relay");
    CHECK(started[1].name == "add");
    CHECK(started[1].call != started[0].call);
    const auto finished = bench.events.all<ai::call_finished>();
    REQUIRE(finished.size() == 2);
    CHECK(finished[0].name == "add");
}

TEST_CASE("a nested call is gated: names, arguments, approval, hooks and the budget of calls") {
    const auto outcome = [](std::string to, json arguments, ai::limits bounds, ai::call_decision decision) {
        agent_bench bench({fake::call("relay"), fake::say("Done.")}, bounds);
        bench.offer("add", [](int n) { return n + 1; }, ai::arg{"n", "a number"});
        bench.agent.options().approval = [decision](const ai::proposed_call& call) {
            return call.name == "add" ? decision : ai::call_decision::allow();
        };
        return relayed(bench, {.to = std::move(to), .arguments = std::move(arguments)});
    };
    const json fine{{"n", 1}};
    using decision = ai::call_decision;
    CHECK(outcome("add", fine, {}, decision::allow()).find("2") != std::string::npos);
    CHECK(outcome("ad", fine, {}, decision::allow()).find("unknown_function") != std::string::npos);
    CHECK(outcome("add", {{"n", "x"}}, {}, decision::allow()).find("invalid_args") != std::string::npos);
    CHECK(outcome("add", json::array(), {}, decision::allow()).find("invalid_args") != std::string::npos);
    CHECK(outcome("add", fine, {.max_calls = 1}, decision::allow()).find("limit") != std::string::npos);
    CHECK(outcome("add", fine, {}, decision::deny("no")).find("denied") != std::string::npos);
    CHECK(outcome("add", fine, {}, decision::ask()).find("denied") != std::string::npos);
    CHECK(outcome("add", fine, {}, decision::allow_with({{"n", 6}})).find("7") != std::string::npos);
}

TEST_CASE("calls that call themselves end at a set depth") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    CHECK(relayed(bench, {.to = "relay"}) == R"({"ok":true,"result":"too deep"})");
    CHECK(bench.events.all<ai::call_started>().size() == 5);
}

TEST_CASE("a nested call that nobody waits for any more is closed, and its answer ignored") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    ai::capability_responder kept;
    REQUIRE(bench.agent.capabilities().add(
        ai::capability("slow", "Slow.", [&](ai::capability_responder responder) { kept = std::move(responder); })));
    REQUIRE(bench.agent.capabilities().add(relay{.to = "slow"}));
    ai::pumped_run run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::waiting);
    bench.clock.advance(6s);
    CHECK(bench.settle(run) == ai::progress::done);
    kept(ai::reply_with("late"));
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"in_doubt"});  // the nested call may have had its effect
    const auto finished = bench.events.all<ai::call_finished>();
    REQUIRE(finished.size() == 2);
    CHECK(finished[0].name == "slow");
    CHECK(finished[0].reply.code == ai::reply_code::in_doubt);
}

TEST_CASE("a capability that never stops asking does not outlive its run") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    int asked = 0;
    ai::pumped_run run;
    struct stubborn {
        int* asked;
        ai::pumped_run* run;
        ai::result<ai::capability_list> declared = ai::declare({{.name = "relay", .description = "Asks."}});
        [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
        void ask(const ai::nested_caller& others) {
            others("nothing", json::object(), ai::capability_responder([this, others](ai::capability_reply reply) {
                       if (++*asked == 100) {
                           run->cancel();
                       }
                       if (reply.code != ai::reply_code::cancelled) {
                           ask(others);
                       }
                   }));
        }
        void invoke(const ai::capability_call& call, ai::capability_responder responder) {
            kept = std::move(responder);
            ask(call.others);
        }
        ai::capability_responder kept = {};
    };
    stubborn source{&asked, &run};
    REQUIRE(bench.agent.capabilities().add(ai::borrow(source)));
    run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK(asked >= 100);
}

TEST_CASE("a call may ask for another one from any thread, also when its run is gone") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    ai::nested_caller others;
    struct keeping {
        ai::nested_caller* others;
        ai::result<ai::capability_list> declared = ai::declare({{.name = "relay", .description = "Keeps."}});
        [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
        void invoke(const ai::capability_call& call, ai::capability_responder responder) {
            *others = call.others;
            responder(ai::reply_with(nullptr));
        }
    };
    REQUIRE(bench.agent.capabilities().add(keeping{&others}));
    CHECK(bench.answer().reason == ai::stop_reason::complete);
    ai::reply_code code = ai::reply_code::ok;
    std::thread([&] {
        others("relay", json::object(), ai::capability_responder([&](ai::capability_reply reply) { code = reply.code; }));
    }).join();
    CHECK(code == ai::reply_code::cancelled);
}

TEST_CASE("arguments that nest too deep to be copied are refused before anybody does") {
    agent_bench bench{fake::call("relay"), fake::say("Done.")};
    bench.offer("look", [] { return 1; });
    CHECK(relayed(bench, {.to = "look", .deep = true}) == R"({"ok":true,"result":"invalid_args"})");
}

TEST_CASE("a call that has made one that must not be repeated is not repeated itself") {
    std::vector<ai::journal_record> records;
    int healed = 0;
    {
        agent_bench bench{fake::call("relay"), fake::say("Done.")};
        bench.offer("heal", [&] { return ++healed; });
        REQUIRE(bench.agent.capabilities().add(relay{.to = "heal"}));
        bench.agent.options().journal = kept_records{&records};
        bench.answer();
    }
    REQUIRE(healed == 1);
    int doubts = 0;
    for (std::size_t kept = 1; kept <= records.size(); ++kept) {
        INFO("died after record " << kept);
        bool begun = false;
        for (std::size_t i = 0; i < kept; ++i) {
            const json* input = ai::find_member(records[i].content, "input");
            const json* invoking = input != nullptr ? ai::find_member(*input, "invoking") : nullptr;
            begun = begun || (invoking != nullptr && ai::integer_member(*invoking, "call") == 2);
        }
        agent_bench bench({});
        std::size_t asked = 0;
        for (std::size_t i = 0; i < kept; ++i) {
            const json* input = ai::find_member(records[i].content, "input");
            asked += input != nullptr && input->contains("model_result") ? 1 : 0;
        }
        if (asked == 0) {
            bench.model.add(fake::call("relay"));
        }
        bench.model.add(fake::say("Done."));
        int again = 0;
        bench.offer("heal", [&] { return ++again; });
        REQUIRE(bench.agent.capabilities().add(relay{.to = "heal"}));
        auto run = bench.agent.recover(std::span(records).first(kept));
        REQUIRE(run);
        REQUIRE(bench.settle(*run) == ai::progress::done);
        CHECK(again + (begun ? 1 : 0) == 1);
        doubts += codes_in(run->reply().messages) == std::vector<std::string>{"in_doubt"} ? 1 : 0;
    }
    CHECK(doubts == 2);  // while the nested call ran, and between its reply and that of the one around it
}
