#include <pyaichat/policy/approval_policy.hpp>

#include <pyaichat/agent/run_question.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"
#include "deep_json.hpp"

using namespace bench;
using ai::json;

namespace {

/// Three calls in one response, then an answer; "heal" and "look" note that they ran.
struct ward : agent_bench {
    ward()
        : agent_bench({fake::calls({{"1", "look", json::object()}, {"2", "heal", {{"points", 5}}}, {"3", "look", json::object()}}),
                       fake::say("Done.")}) {
        offer("look", [this] { ran += "look "; });
        offer("heal", [this](int points) { ran += "heal" + std::to_string(points) + " "; }, ai::arg{"points", "how much"});
    }

    /// Decides about calls of "heal" only.
    void about_heal(ai::call_decision decision) {
        agent.options().approval = [decision](const ai::proposed_call& call) {
            return call.name == "heal" ? decision : ai::call_decision::allow();
        };
    }

    std::string ran;
};

/// One capability as a plugin's file would declare it.
struct from_file {
    ai::result<ai::capability_list> declared = ai::declare(
        {{.name = "open", .description = "Opens.", .effects = ai::effects::once, .from = ai::provenance::file, .origin = "doors.lua"}});
    [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
    void invoke(const ai::capability_call&, ai::capability_responder responder) { responder(ai::reply_with("open")); }
};

}  // namespace

TEST_CASE("a policy sees the whole batch before anything of it runs") {
    ward bench;
    std::string seen;
    bench.agent.options().approval = [&](const ai::proposed_call& call) {
        seen += call.name + "(" + bench.ran + ") ";
        return ai::call_decision::allow();
    };
    CHECK(bench.answer().reason == ai::stop_reason::complete);
    CHECK(seen == "look() heal() look() ");
    CHECK(bench.ran == "look heal5 look ");
}

TEST_CASE("a denied call is not run, the model reads why, and the others run") {
    ward bench;
    bench.about_heal(ai::call_decision::deny("you are healthy"));
    const ai::answer reply = bench.answer();
    CHECK(bench.ran == "look look ");
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok", "denied", "ok"});
    CHECK(replies_in(reply.messages)[1].find("you are healthy") != std::string::npos);
    CHECK(bench.events.all<ai::call_denied>().size() == 1);
}

TEST_CASE("a policy may change the arguments, which are checked again") {
    ward bench;
    bench.about_heal(ai::call_decision::allow_with({{"points", 1}}));
    bench.answer();
    CHECK(bench.ran == "look heal1 look ");

    ward strict;
    strict.about_heal(ai::call_decision::allow_with({{"points", "many"}}));
    CHECK(codes_in(strict.answer().messages) == std::vector<std::string>{"ok", "denied", "ok"});
    CHECK(strict.ran == "look look ");
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a policy that throws, or decides about too little, denies") {
    ward bench;
    bench.agent.options().approval = [](const ai::proposed_call&) -> ai::call_decision { throw std::runtime_error("broken"); };
    CHECK(codes_in(bench.answer().messages) == std::vector<std::string>{"denied", "denied", "denied"});
    CHECK(bench.ran.empty());

    struct lazy {
        std::vector<ai::call_decision> decide(std::span<const ai::proposed_call>) const { return {ai::call_decision::allow()}; }
    };
    ward other;
    other.agent.options().approval = lazy{};
    CHECK(codes_in(other.answer().messages) == std::vector<std::string>{"ok", "denied", "denied"});
    CHECK(other.ran == "look ");
}
#endif

TEST_CASE("a pending call pauses the run where it stands in the order; what ran before is kept") {
    ward bench;
    bench.about_heal(ai::call_decision::ask("it costs a potion"));
    ai::pumped_run run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::awaiting_approval);
    CHECK_FALSE(run.done());
    CHECK(bench.ran == "look ");
    const auto pending = run.pending();
    REQUIRE(pending.size() == 1);
    CHECK(pending[0].call.name == "heal");
    CHECK(pending[0].reason == "it costs a potion");
    CHECK(run.reply().reason == ai::stop_reason::awaiting_approval);
    CHECK(run.reply().text.find("heal(5)") != std::string::npos);
    CHECK(is_legal_history(run.reply().messages));

    CHECK(run.resume(99, ai::call_decision::allow()).error().code == ai::errc::invalid_state);
    CHECK(run.resume(pending[0].call.number, ai::call_decision::allow_with({{"points", "x"}})).error().code == ai::errc::invalid_argument);
    CHECK(run.pending().size() == 1);
    REQUIRE(run.resume(pending[0].call.number, ai::call_decision::allow_with({{"points", 2}})));
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(bench.ran == "look heal2 look ");
    CHECK(run.reply().text == "Done.");
    CHECK(run.pending().empty());
}

TEST_CASE("who asks a person may propose other arguments, and those are what is approved") {
    ward bench;
    bench.about_heal({.what = ai::call_decision::kind::ask, .arguments = {{"points", 1}}, .reason = "one is enough"});
    ai::pumped_run run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.pending().size() == 1);
    CHECK(run.pending()[0].call.arguments == json{{"points", 1}});
    REQUIRE(run.resume(2, ai::call_decision::allow()));
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(bench.ran == "look heal1 look ");
}

TEST_CASE("some pending calls are decided and others left") {
    agent_bench bench{fake::calls({{"1", "a", json::object()}, {"2", "b", json::object()}, {"3", "c", json::object()}}),
                      fake::say("Done.")};
    std::string ran;
    for (const char* name : {"a", "b", "c"}) {
        bench.offer(name, [&ran, name] { ran += name; });
    }
    bench.agent.options().approval = [](const ai::proposed_call&) { return ai::call_decision::ask(); };
    ai::pumped_run run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.pending().size() == 3);
    REQUIRE(run.resume({{1, ai::call_decision::allow()}, {3, ai::call_decision::deny("no")}}));
    CHECK(bench.settle(run) == ai::progress::awaiting_approval);
    CHECK(ran == "a");
    REQUIRE(run.pending().size() == 1);
    REQUIRE(run.resume(2, ai::call_decision::allow()));
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(ran == "ab");
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok", "denied"});
}

TEST_CASE("a call is decided about once: a second decision is refused, and not lost") {
    ward bench;
    bench.about_heal(ai::call_decision::ask());
    ai::pumped_run run = bench.ask();
    bench.settle(run);
    const auto allow = ai::call_decision::allow();
    const auto deny = ai::call_decision::deny("no");
    CHECK(run.resume({{2, allow}, {2, deny}}).error().code == ai::errc::invalid_argument);
    CHECK(run.pending().size() == 1);
    REQUIRE(run.resume(2, ai::call_decision::ask()));  // still to be decided
    CHECK(run.pending().size() == 1);
    REQUIRE(run.resume(2, deny));
    CHECK(run.pending().empty());
    CHECK(run.resume(2, allow).error().code == ai::errc::invalid_state);
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(bench.ran == "look look ");
}

TEST_CASE("arguments that nest too deep to be copied are denied, whoever changes a call to them") {
    ward bench;
    bench.agent.options().approval = [](const ai::proposed_call& call) {
        return call.name == "heal" ? ai::call_decision::allow_with(nested_objects()) : ai::call_decision::allow();
    };
    CHECK(codes_in(bench.answer().messages) == std::vector<std::string>{"ok", "denied", "ok"});

    ward other;
    other.about_heal(ai::call_decision::ask());
    ai::pumped_run run = other.ask();
    other.settle(run);
    CHECK(run.resume(2, ai::call_decision::allow_with(nested_objects())).error().code == ai::errc::invalid_argument);
    CHECK(run.pending().size() == 1);
}

TEST_CASE("waiting for approval spends no time of the run") {
    ward bench;
    bench.about_heal(ai::call_decision::ask());
    ai::pumped_run run = bench.ask();
    bench.settle(run);
    bench.clock.advance(24h);
    CHECK(run.pump() == ai::progress::awaiting_approval);
    REQUIRE(run.resume(2, ai::call_decision::allow()));
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::complete);
}

TEST_CASE("a run that awaits approval can be cancelled") {
    ward bench;
    bench.about_heal(ai::call_decision::ask());
    ai::pumped_run run = bench.ask();
    bench.settle(run);
    run.cancel();
    CHECK(bench.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK(is_legal_history(run.reply().messages));
    CHECK(bench.ran == "look ");
}

TEST_CASE("a capability with effects that comes from a file is denied unless a policy allows it") {
    agent_bench closed{fake::call("open"), fake::say("Hm.")};
    REQUIRE(closed.agent.capabilities().add(from_file()));
    const ai::answer refused = closed.answer();
    CHECK(codes_in(refused.messages) == std::vector<std::string>{"denied"});
    CHECK(replies_in(refused.messages)[0].find("doors.lua") != std::string::npos);

    agent_bench reading{fake::call("open"), fake::say("Done.")};
    from_file harmless;
    harmless.declared = ai::derive({&*harmless.declared, 1}, [](ai::capability_spec& spec) {
        spec.effects = ai::effects::read;
        return true;
    });
    REQUIRE(reading.agent.capabilities().add(std::move(harmless)));
    CHECK(codes_in(reading.answer().messages) == std::vector<std::string>{"ok"});

    agent_bench open{fake::call("open"), fake::say("Done.")};
    REQUIRE(open.agent.capabilities().add(from_file()));
    open.agent.options().approval = ai::allow_all;
    CHECK(codes_in(open.answer().messages) == std::vector<std::string>{"ok"});
}

TEST_CASE("of all who are asked the strictest is followed, and a hook can restrict but not allow") {
    struct hooks {
        ai::call_decision decision;
        ai::call_decision before_call(const ai::proposed_call&) const { return decision; }
    };
    const auto outcome = [](std::optional<ai::call_decision> policy, std::vector<ai::call_decision> hooked) {
        agent_bench bench{fake::call("open"), fake::say("Done.")};
        REQUIRE(bench.agent.capabilities().add(from_file()));
        if (policy) {
            bench.agent.options().approval = [policy](const ai::proposed_call&) { return *policy; };
        }
        for (const ai::call_decision& one : hooked) {
            bench.agent.options().hooks.emplace_back(hooks{one});
        }
        ai::pumped_run run = bench.ask();
        return bench.settle(run) == ai::progress::done ? codes_in(run.reply().messages)[0] : "pending";
    };
    using decision = ai::call_decision;
    const json none = json::object();
    CHECK(outcome(decision::allow(), {{}}) == "ok");
    CHECK(outcome({}, {decision::allow()}) == "denied");
    CHECK(outcome({}, {decision::allow_with(none)}) == "denied");
    CHECK(outcome(decision::allow(), {decision::allow_with(none)}) == "ok");
    CHECK(outcome(decision::allow(), {decision::allow_with({{"a", 1}}), decision::allow_with({{"a", 2}})}) == "denied");
    CHECK(outcome(decision::allow(), {decision::ask()}) == "pending");
    CHECK(outcome({}, {decision::ask()}) == "pending");
    CHECK(outcome(decision::allow(), {decision::ask(), decision::deny("no")}) == "denied");
    CHECK(outcome(decision::deny("no"), {decision::allow()}) == "denied");
}

TEST_CASE("a source has a say about its own calls") {
    struct reviewed : from_file {
        ai::call_decision decision;
        std::vector<ai::call_decision> review(std::span<const ai::proposed_call> batch) {
            return std::vector<ai::call_decision>(batch.size(), decision);
        }
    };
    const auto outcome = [](ai::call_decision decision) {
        fake::scripted_provider model{fake::call("open"), fake::say("Done.")};
        reviewed source;
        source.decision = std::move(decision);
        return codes_in(ai::run_question(model, std::move(source), "Open it.").messages);
    };
    CHECK(outcome(ai::call_decision::allow()) == std::vector<std::string>{"ok"});
    CHECK(outcome(ai::call_decision::deny("no")) == std::vector<std::string>{"denied"});
    CHECK(outcome({}) == std::vector<std::string>{"denied"});
}
