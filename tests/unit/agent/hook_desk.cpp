#include "agent/driver/hook_desk.hpp"

#include "agent_bench.hpp"
#include "catch.hpp"
#include "deep_json.hpp"

#include <stdexcept>
#include <thread>

using namespace bench;

namespace {

/// Keeps what it is asked, and answers when the test says so.
struct slow_gate {
    std::vector<ai::hook_responder<ai::call_decision>>* asked;
    void before_call(const ai::proposed_call&, ai::hook_responder<ai::call_decision> answer) { asked->push_back(std::move(answer)); }
};
struct slow_redactor {
    std::vector<ai::hook_responder<ai::capability_reply>>* asked;
    void after_call(const ai::capability_call&, ai::capability_reply reply, ai::hook_responder<ai::capability_reply> answer) {
        seen->push_back(ai::dump_json(reply.result));
        asked->push_back(std::move(answer));
    }
    std::vector<std::string>* seen;
};
struct slow_noter {
    std::vector<ai::hook_responder<std::string>>* asked;
    void on_answer(const ai::closing_answer&, ai::hook_responder<std::string> answer) { asked->push_back(std::move(answer)); }
};
struct quick_redactor {
    void after_call(const ai::capability_call&, ai::capability_reply& reply) const { reply.result = ai::dump_json(reply.result) + "!"; }
};

struct gate_bench : agent_bench {
    using agent_bench::agent_bench;
    int ran = 0;
    std::vector<ai::hook_responder<ai::call_decision>> asked = {};

    void offer_act() {
        offer("act", [this] { return ++ran; });
        agent.options().hooks.emplace_back(slow_gate{&asked});
    }
};

}  // namespace

TEST_CASE("a hook that decides later holds up its run and no thread") {
    gate_bench b{fake::call("act"), fake::say("Done.")};
    b.offer_act();
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK(run.pump() == ai::progress::waiting);
    REQUIRE(b.asked.size() == 1);
    CHECK(b.ran == 0);
    b.asked[0](ai::call_decision::allow());
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.ran == 1);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok"});
}

TEST_CASE("a hook that denies later, or goes away without an answer, denies") {
    for (const bool answers : {true, false}) {
        gate_bench b{fake::call("act"), fake::say("Done.")};
        b.offer_act();
        ai::pumped_run run = b.ask();
        CHECK(b.settle(run) == ai::progress::waiting);
        if (answers) {
            b.asked[0](ai::call_decision::deny("not today"));
        } else {
            b.asked.clear();
        }
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(b.ran == 0);
        const std::string reply = replies_in(run.reply().messages).at(0);
        CHECK(reply.find(answers ? "not today" : "a hook failed") != std::string::npos);
    }
}

TEST_CASE("of equally strict hooks the first gives the reason, whoever answers first") {
    gate_bench b{fake::call("act"), fake::say("Done.")};
    b.offer_act();
    b.agent.options().hooks.emplace_back(slow_gate{&b.asked});
    b.agent.options().approval = [](const ai::proposed_call&) { return ai::call_decision::deny("third"); };
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(b.asked.size() == 2);
    b.asked[1](ai::call_decision::deny("second"));
    CHECK(b.settle(run) == ai::progress::waiting);
    b.asked[0](ai::call_decision::deny("first"));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(replies_in(run.reply().messages).at(0).find("first") != std::string::npos);
}

TEST_CASE("a run whose hook never decides ends at its deadline, and a late decision has no effect") {
    gate_bench b{fake::call("act"), fake::say("never")};
    b.offer_act();
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    b.clock.advance(20s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::total_timeout);
    b.asked[0](ai::call_decision::allow());
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.ran == 0);
    CHECK(is_legal_history(run.reply().messages));
}

TEST_CASE("a run that is cancelled or dropped while a hook decides does not wait for it") {
    gate_bench b{fake::call("act"), fake::call("act")};
    b.offer_act();
    ai::pumped_run cancelled = b.ask();
    CHECK(b.settle(cancelled) == ai::progress::waiting);
    cancelled.cancel();
    CHECK(b.settle(cancelled) == ai::progress::done);
    CHECK(cancelled.reply().reason == ai::stop_reason::cancelled);
    {
        ai::pumped_run dropped = b.ask();
        CHECK(b.settle(dropped) == ai::progress::waiting);
    }
    for (auto& one : b.asked) {
        one(ai::call_decision::allow());
    }
    CHECK(b.ran == 0);
}

TEST_CASE("replies pass from hook to hook, whether they answer at once or later, and nobody sees them before") {
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return 7; });
    std::vector<ai::hook_responder<ai::capability_reply>> asked;
    std::vector<std::string> seen;
    b.agent.options().hooks.emplace_back(quick_redactor{});
    b.agent.options().hooks.emplace_back(slow_redactor{.asked = &asked, .seen = &seen});
    b.agent.options().hooks.emplace_back(quick_redactor{});
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(seen == std::vector<std::string>{R"("7!")"});
    CHECK(b.events.all<ai::call_finished>().empty());
    asked[0](ai::reply_with("clean"));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.events.all<ai::call_finished>().at(0).reply.result == "\"clean\"!");
}

TEST_CASE("a reply whose hook takes too long is as good as none, and stays unseen") {
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return "secret"; });
    std::vector<ai::hook_responder<ai::capability_reply>> asked;
    std::vector<std::string> seen;
    b.agent.options().hooks.emplace_back(slow_redactor{.asked = &asked, .seen = &seen});
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    b.clock.advance(5s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"in_doubt"});
    CHECK(replies_in(run.reply().messages).at(0).find("secret") == std::string::npos);
    asked[0](ai::reply_with("late"));
    CHECK(b.settle(run) == ai::progress::done);
}

TEST_CASE("a note that comes later is waited for, and the end is told with it") {
    agent_bench b{fake::say("42.")};
    std::vector<ai::hook_responder<std::string>> asked;
    b.agent.options().hooks.emplace_back(slow_noter{&asked});
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK_FALSE(run.done());
    CHECK(b.events.all<ai::run_finished>().empty());
    REQUIRE(asked.size() == 1);
    asked[0](std::string("Noted."));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "42.\n\nNoted.");
    CHECK(b.events.all<ai::run_finished>().size() == 1);
}

TEST_CASE("an end does not wait for notes that do not come") {
    agent_bench b{fake::say("42.")};
    std::vector<ai::hook_responder<std::string>> asked;
    b.agent.options().hooks.emplace_back(slow_noter{&asked});
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    b.clock.advance(ai::longest_wait_for_notes);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "42.");
    asked[0](std::string("Late."));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "42.");
}

TEST_CASE("hooks that answer from another thread are waited for by whoever waits for the run") {
    struct threaded {
        std::vector<std::thread>* threads;
        void before_call(const ai::proposed_call&, ai::hook_responder<ai::call_decision> answer) {
            threads->emplace_back([answer = std::move(answer)]() mutable { answer(ai::call_decision::allow()); });
        }
        void after_call(const ai::capability_call&, ai::capability_reply, ai::hook_responder<ai::capability_reply> answer) {
            threads->emplace_back([answer = std::move(answer)]() mutable { answer(ai::reply_with("clean")); });
        }
        void on_answer(const ai::closing_answer&, ai::hook_responder<std::string> answer) {
            threads->emplace_back([answer = std::move(answer)]() mutable { answer(std::string("Noted.")); });
        }
    };
    std::vector<std::thread> threads;
    fake::scripted_provider model{fake::call("look"), fake::say("Done.")};
    ai::agent agent{ai::borrow(model), {ai::capability("look", "A test.", [] { return "secret"; })}};
    agent.options().hooks.emplace_back(threaded{&threads});
    ai::run run = agent.ask("q");
    const ai::answer reply = run.wait();
    CHECK(replies_in(reply.messages) == std::vector<std::string>{R"({"ok":true,"result":"clean"})"});
    CHECK(reply.text.starts_with("Done."));  // a machine that stands still may end without the note
    for (std::thread& one : threads) {
        one.join();
    }
}

TEST_CASE("a nested call waits for hooks that decide later, and its reply for those that change it") {
    gate_bench b{fake::call("outer"), fake::say("Done.")};
    b.offer_act();
    std::vector<ai::hook_responder<ai::capability_reply>> replies;
    std::vector<std::string> seen;
    b.agent.options().hooks.emplace_back(slow_redactor{.asked = &replies, .seen = &seen});
    ai::capability_spec spec{.name = "outer", .description = "A test."};
    REQUIRE(b.agent.capabilities().add(ai::function_capability(spec, [](const ai::capability_call& call, ai::capability_responder answer) {
        call.others("act", ai::json::object(), ai::capability_responder([answer = std::move(answer)](ai::capability_reply reply) mutable {
                        answer(std::move(reply));
                    }));
    })));
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(b.asked.size() == 1);
    b.asked[0](ai::call_decision::allow());
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(b.asked.size() == 2);
    CHECK(b.ran == 0);
    b.asked[1](ai::call_decision::allow());
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK(b.ran == 1);
    REQUIRE(replies.size() == 1);
    replies[0](ai::reply_with("inner"));
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(replies.size() == 2);
    CHECK(seen.at(1) == R"("inner")");
    replies[1](ai::reply_with("whole"));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"whole"})"});
}

TEST_CASE("a run that is written down while notes are awaited tells its end with the notes that are in") {
    agent_bench b{fake::say("42.")};
    std::vector<ai::hook_responder<std::string>> asked;
    b.agent.options().hooks.emplace_back(slow_noter{&asked});
    ai::pumped_run run;
    bool answered = false;
    run = b.agent.ask("q", ai::on{[&](const ai::run_finished&) { answered = run.done() && run.reply().text == "42."; }});
    CHECK(b.settle(run) == ai::progress::waiting);
    static_cast<void>(run.snapshot());
    CHECK(answered);
    CHECK(b.settle(run) == ai::progress::done);
}

TEST_CASE("a call that has replied makes no other, though a hook holds its reply") {
    agent_bench b{fake::call("outer"), fake::say("Done.")};
    std::vector<ai::hook_responder<ai::capability_reply>> replies;
    std::vector<std::string> seen;
    b.agent.options().hooks.emplace_back(slow_redactor{.asked = &replies, .seen = &seen});
    int ran = 0;
    b.offer("act", [&] { return ++ran; });
    ai::nested_caller others;
    ai::capability_spec spec{.name = "outer", .description = "A test."};
    REQUIRE(b.agent.capabilities().add(ai::function_capability(spec, [&](const ai::capability_call& call, ai::capability_responder answer) {
        others = call.others;
        answer(ai::reply_with(1));
    })));
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    std::optional<ai::capability_reply> told;
    others("act", ai::json::object(), ai::capability_responder([&](ai::capability_reply reply) { told = std::move(reply); }));
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(told);
    CHECK(told->code == ai::reply_code::cancelled);
    CHECK(ran == 0);
    replies.at(0)(ai::reply_with(2));
    CHECK(b.settle(run) == ai::progress::done);
}

TEST_CASE("a reply that nests too deep to be copied is an error before hooks see it, nested or not") {
    agent_bench b{fake::calls({{.name = "deep"}, {.name = "relay"}}), fake::say("Done.")};
    b.offer("deep", [] { return nested_objects(); });
    struct relay {
        ai::result<ai::capability_list> declared = ai::declare({{.name = "relay", .description = "Calls.", .effects = ai::effects::read}});
        [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
        void invoke(const ai::capability_call& call, ai::capability_responder responder) {
            call.others("deep", ai::json::object(), std::move(responder));
        }
    };
    REQUIRE(b.agent.capabilities().add(relay{}));
    struct looking {
        int* seen;
        void after_call(const ai::capability_call&, ai::capability_reply& reply) { *seen += reply.ok() ? 100 : 1; }
    };
    int seen = 0;
    b.agent.options().hooks.emplace_back(looking{&seen});
    const ai::answer reply = b.answer();
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"internal", "internal"});
    CHECK(seen == 3);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a hook that hands its responder on and throws has denied, whatever comes later") {
    struct throwing {
        std::vector<ai::hook_responder<ai::call_decision>>* asked;
        void before_call(const ai::proposed_call&, ai::hook_responder<ai::call_decision> answer) {
            asked->push_back(std::move(answer));
            throw std::runtime_error("broken");
        }
    };
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return 1; });
    std::vector<ai::hook_responder<ai::call_decision>> asked;
    b.agent.options().hooks.emplace_back(throwing{&asked});
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    asked.at(0)(ai::call_decision::allow());
    CHECK(replies_in(run.reply().messages).at(0).find("broken") != std::string::npos);
}

TEST_CASE("a hook that throws half way through a reply has changed nothing") {
    struct throwing {
        void after_call(const ai::capability_call&, ai::capability_reply& reply) {
            reply.result = "half";
            throw std::runtime_error("broken");
        }
    };
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return 1; });
    b.agent.options().hooks.emplace_back(throwing{});
    CHECK(replies_in(b.answer().messages).at(0) == R"({"ok":true,"result":1})");
}

TEST_CASE("a hook that takes its responder and throws has failed") {
    struct throwing {
        void before_call(const ai::proposed_call&, ai::hook_responder<ai::call_decision> answer) {
            const ai::hook_responder<ai::call_decision> taken = std::move(answer);
            throw std::runtime_error("broken");
        }
    };
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return 1; });
    b.agent.options().hooks.emplace_back(throwing{});
    const ai::answer reply = b.answer();
    CHECK(replies_in(reply.messages).at(0).find("broken") != std::string::npos);
}
#endif
