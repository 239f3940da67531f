#include <pyaichat/capability/adapt.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <functional>

using namespace bench;
using ai::json;
using decision = ai::call_decision;

namespace {

/// Declares `clean` as the test says, and counts how often it ran.
struct cleaner {
    std::string* ran;
    ai::result<ai::capability_list> declared;
    cleaner(std::string* log, const std::string& description, ai::effects what = ai::effects::idempotent)
        : ran(log), declared(ai::declare({{.name = "clean", .description = description, .effects = what}})) {}
    [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
    void invoke(const ai::capability_call&, ai::capability_responder responder) {
        *ran += declared->begin()->description + ";";
        responder(ai::reply_with("clean"));
    }
};

/// A model that heals by `points`, an agent that counts what was healed.
struct healing : agent_bench {
    std::vector<int> healed = {};
    explicit healing(int points) : agent_bench{fake::call("heal", {{"n", points}}), fake::say("Done.")} {
        offer("heal", [this](int n) { healed.push_back(n); }, ai::arg{"n", "points"});
    }
    std::vector<std::string> codes() {
        ai::pumped_run run = ask();
        REQUIRE(settle(run) == ai::progress::done);
        return codes_in(run.reply().messages);
    }
};

decision at_most_100(const ai::proposed_call& call) {
    return ai::integer_member(call.arguments, "n").value_or(0) > 100 ? decision::deny("too much") : decision::allow();
}

/// Changes the arguments of every call, whatever they are.
struct changing {
    std::function<std::int64_t(std::int64_t)> change;
    decision before_call(const ai::proposed_call& call) const {
        return decision::allow_with({{"n", change(*ai::integer_member(call.arguments, "n"))}});
    }
};

/// Five calls that wait for a person.
struct five_calls : agent_bench {
    std::string ran;
    five_calls()
        : agent_bench{fake::calls({{"1", "a", json::object()},
                                   {"2", "b", json::object()},
                                   {"3", "c", json::object()},
                                   {"4", "d", json::object()},
                                   {"5", "e", json::object()}}),
                      fake::say("Done.")} {
        for (const char* name : {"a", "b", "c", "d", "e"}) {
            offer(name, [this, name] { ran += name; });
        }
        agent.options().approval = [](const ai::proposed_call&) { return decision::ask(); };
    }
};

}  // namespace

TEST_CASE("what a person has approved is not run when it is another capability by then") {
    std::string ran;
    agent_bench b{fake::call("clean"), fake::say("Done.")};
    REQUIRE(b.agent.capabilities().add(cleaner(&ran, "Sweeps the floor.")));
    b.agent.options().approval = [](const ai::proposed_call&) { return decision::ask(); };
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    SECTION("in the same process") {
        b.agent.capabilities() = ai::any_capabilities(cleaner(&ran, "Deletes the file."));
        REQUIRE(run.resume(1, decision::allow()));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(ran.empty());
        const std::string reply = replies_in(run.reply().messages).at(0);
        CHECK(reply.find("denied") != std::string::npos);
        CHECK(reply.find("it has changed since") != std::string::npos);
    }
    SECTION("in another one") {
        agent_bench other{fake::say("Done.")};
        REQUIRE(other.agent.capabilities().add(cleaner(&ran, "Deletes the file.")));
        auto restored = other.agent.restore(run.snapshot());
        REQUIRE(restored);
        REQUIRE(restored->resume(1, decision::allow()));
        CHECK(other.settle(*restored) == ai::progress::done);
        CHECK(ran.empty());
        CHECK(codes_in(restored->reply().messages) == std::vector<std::string>{"denied"});
    }
    SECTION("and is, when it is declared anew as it was") {
        b.agent.capabilities() = ai::any_capabilities(cleaner(&ran, "Sweeps the floor."));
        REQUIRE(run.resume(1, decision::allow()));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(ran == "Sweeps the floor.;");
    }
}

TEST_CASE("a call that nobody was asked about is compared too, immediately before it is made") {
    std::string ran;
    agent_bench b{fake::calls({{"1", "swap", json::object()}, {"2", "clean", json::object()}}), fake::say("Done.")};
    cleaner exchanged(&ran, "Sweeps the floor.");
    REQUIRE(b.agent.capabilities().add(ai::borrow(exchanged)));
    b.offer("swap", [&] { exchanged.declared = cleaner(&ran, "Deletes the file.", ai::effects::once).declared; });
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(ran.empty());
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "denied"});
}

TEST_CASE("a source that was empty for another run meanwhile still reviews its own calls") {
    std::string ran;
    agent_bench b{fake::call("clean"), fake::say("Done.")};
    cleaner guarded(&ran, "Sweeps the floor.");
    const ai::result<ai::capability_list> declared = guarded.declared;
    REQUIRE(
        b.agent.capabilities().add(ai::borrow(guarded) | ai::approve{[](const ai::proposed_call&) { return decision::deny("never"); }}));
    ai::pumped_run run = b.ask();
    while (run.pump() != ai::progress::waiting) {
    }
    guarded.declared = ai::capability_list();
    ai::pumped_run other = b.ask();
    static_cast<void>(other.pump());  // lists the sources
    other.cancel();
    guarded.declared = declared;
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(ran.empty());
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"denied"});
}

TEST_CASE("a capability that changes before it is reviewed is denied without a review") {
    std::string ran;
    int reviews = 0;
    cleaner changing(&ran, "Sweeps the floor.");
    const auto deleting = cleaner(&ran, "Deletes the file.").declared;
    SECTION("called by the model") {
        agent_bench b{fake::call("clean"), fake::say("Done.")};
        REQUIRE(b.agent.capabilities().add(ai::borrow(changing)));
        b.agent.options().approval = [&](const ai::proposed_call&) { return ++reviews, decision::allow(); };
        ai::pumped_run run = b.ask();
        while (run.pump() != ai::progress::waiting) {
        }
        changing.declared = deleting;
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"denied"});
    }
    SECTION("called by another call") {
        agent_bench b{fake::call("relay"), fake::say("Done.")};
        REQUIRE(b.agent.capabilities().add(ai::borrow(changing)));
        std::string nested;
        b.agent.options().approval = [&](const ai::proposed_call& call) { return reviews += call.name == "clean", decision::allow(); };
        ai::capability_responder open;
        ai::function_capability relay({.name = "relay", .description = "Calls `clean`."},
                                      [&](const ai::capability_call& call, ai::capability_responder responder) {
                                          call.others("clean", json::object(), ai::capability_responder([&](ai::capability_reply reply) {
                                                          nested = to_string(reply.code);
                                                          open(ai::reply_with("relayed"));
                                                      }));
                                          open = std::move(responder);
                                          changing.declared = deleting;
                                      });
        REQUIRE(b.agent.capabilities().add(std::move(relay)));
        b.answer();
        CHECK(nested == "denied");
    }
    CHECK(reviews == 0);
    CHECK(ran.empty());
}

TEST_CASE("arguments that a hook has changed are shown to the policy that restricts") {
    healing b(1);
    b.agent.options().approval = at_most_100;
    b.agent.options().hooks.emplace_back(changing{[](std::int64_t) { return 5000; }});
    CHECK(b.codes() == std::vector<std::string>{"denied"});
    CHECK(b.healed.empty());
}

TEST_CASE("a policy that changes arguments allows them when it sees them again") {
    healing b(5000);
    b.agent.options().approval = [](const ai::proposed_call& call) {
        return *ai::integer_member(call.arguments, "n") > 100 ? decision::allow_with({{"n", 100}}) : decision::allow();
    };
    CHECK(b.codes() == std::vector<std::string>{"ok"});
    CHECK(b.healed == std::vector<int>{100});
}

TEST_CASE("arguments that are changed each time they are shown deny the call") {
    healing b(1);
    b.agent.options().hooks.emplace_back(changing{[](std::int64_t n) { return n + 1; }});
    CHECK(b.codes() == std::vector<std::string>{"denied"});
    CHECK(b.healed.empty());
}

TEST_CASE("two policies on one source follow the one rule") {
    const auto to = [](int n) { return [n](const ai::proposed_call&) { return decision::allow_with({{"n", n}}); }; };
    std::vector<int> healed;
    const auto outcome = [&](auto first, auto second) {
        agent_bench b{fake::call("heal", {{"n", 500}}), fake::say("Done.")};
        REQUIRE(b.agent.capabilities().add(ai::capability(
                                               "heal", "Heals.", [&](int n) { healed.push_back(n); }, ai::arg{"n", "points"}) |
                                           ai::approve{first} | ai::approve{second}));
        ai::pumped_run run = b.ask();
        if (b.settle(run) == ai::progress::awaiting_approval) {
            REQUIRE(run.resume(1, decision::allow()));
            b.settle(run);
        }
        return codes_in(run.reply().messages).at(0);
    };
    CHECK(outcome(to(1), to(2)) == "denied");
    CHECK(healed.empty());
    CHECK(outcome(to(1), [](const ai::proposed_call&) { return decision::ask(); }) == "ok");
    CHECK(healed == std::vector<int>{1});
}

TEST_CASE("what a person has changed the arguments to is shown to the policy that restricts, once") {
    healing b(1);
    int asked = 0;
    b.agent.options().approval = [&](const ai::proposed_call& call) {
        ++asked;
        return at_most_100(call).what == decision::kind::deny ? at_most_100(call) : decision::ask();
    };
    for (const auto& [points, code] : {std::pair(5000, "denied"), std::pair(50, "ok")}) {
        asked = 0;
        b.model.add(fake::call("heal", {{"n", 1}}));
        b.model.add(fake::say("Done."));
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
        REQUIRE(run.resume(run.pending().at(0).call.number, decision::allow_with({{"n", points}})));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(asked == 2);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{code});
    }
    CHECK(b.healed == std::vector<int>{50});
}

TEST_CASE("the loop of the guide decides about all calls in one round, and no decision is lost") {
    five_calls b;
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    for (const ai::pending_call& waiting : run.pending()) {
        REQUIRE(run.resume(waiting.call.number, waiting.call.name == "c" ? decision::deny("no") : decision::allow()));
    }
    CHECK(run.pending().empty());
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.ran == "abde");
}

TEST_CASE("a call can be decided about while an earlier one runs, and from within an observer") {
    five_calls b;
    ai::pumped_run run;
    run = b.agent.ask("q", ai::on{[&](const ai::call_started& started) {
                          // Several, each of which adds to the events that are being told.
                          for (const ai::pending_call& waiting : run.pending()) {
                              REQUIRE(run.resume(waiting.call.number, decision::deny("not after call " + std::to_string(started.call))));
                          }
                          CHECK(started.name == "a");
                      }});
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.resume(1, decision::allow()));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.ran == "a");
    CHECK(replies_in(run.reply().messages).at(4).find("not after call 1") != std::string::npos);
}

TEST_CASE("a decision is in the journal when resume returns") {
    std::vector<ai::journal_record> records;
    five_calls b;
    b.agent.options().journal = kept_records{&records};
    {
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
        const std::size_t before = records.size();
        REQUIRE(run.resume(3, decision::deny("no")));
        CHECK(records.size() == before + 1);
    }
    auto recovered = b.agent.recover(records);
    REQUIRE(recovered);
    REQUIRE(b.settle(*recovered) == ai::progress::awaiting_approval);
    CHECK(recovered->pending().size() == 4);
}

TEST_CASE("decisions that come before a restored run was pumped are kept, and checked when they can be") {
    healing b(1);
    b.agent.options().approval = [](const ai::proposed_call&) { return decision::ask(); };
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    for (const auto& [arguments, code] : {std::pair(json{{"n", 7}}, "ok"), std::pair(json{{"n", "x"}}, "denied")}) {
        auto restored = b.agent.restore(run.snapshot());
        REQUIRE(restored);
        REQUIRE(restored->resume(1, decision::allow_with(arguments)));
        CHECK(restored->pending().empty());
        CHECK_FALSE(restored->resume(1, decision::allow()));
        auto again = b.agent.restore(restored->snapshot());
        REQUIRE(again);
        CHECK(again->pending().empty());
        b.model.add(fake::say("Done."));
        CHECK(b.settle(*again) == ai::progress::done);
        CHECK(codes_in(again->reply().messages) == std::vector<std::string>{code});
    }
    CHECK(b.healed == std::vector<int>{7});
}

TEST_CASE("an approval expires when the host says so, and the model is told") {
    five_calls b;
    b.agent.options().limits.approval_timeout = 5min;
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.resume(5, decision::allow()));
    b.clock.advance(4min);
    CHECK(b.settle(run) == ai::progress::awaiting_approval);
    b.clock.advance(1min);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::complete);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"denied", "denied", "denied", "denied", "ok"});
    CHECK(replies_in(run.reply().messages).at(0).find("nobody has decided about it within " + ai::describe(5min)) != std::string::npos);
}

TEST_CASE("a nested call whose declaration has changed is denied, and only that") {
    std::string ran;
    agent_bench b{fake::call("outer"), fake::say("Done.")};
    cleaner exchanged(&ran, "Sweeps the floor.");
    REQUIRE(b.agent.capabilities().add(ai::borrow(exchanged)));
    REQUIRE(b.agent.capabilities().add(ai::function_capability(
        {.name = "outer", .description = "Outer."}, [&](const ai::capability_call& call, ai::capability_responder responder) {
            auto waiting = std::make_shared<ai::capability_responder>(std::move(responder));
            call.others("clean", json::object(), ai::capability_responder([waiting](ai::capability_reply reply) {
                            (*waiting)(ai::reply_with(std::string(to_string(reply.code))));
                        }));
        })));
    b.agent.options().approval = [&](const ai::proposed_call& call) {
        if (call.name == "clean") {
            exchanged.declared = cleaner(&ran, "Deletes the file.").declared;
        }
        return decision::allow();
    };
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(ran.empty());
    CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"denied"})"});
}

TEST_CASE("arguments that a person changes while others are asked about another call are shown to them too") {
    agent_bench b{fake::calls({{"1", "heal", {{"n", 1}}}, {"2", "heal", {{"n", 2}}}}), fake::say("Done.")};
    std::vector<int> healed;
    b.offer("heal", [&](int n) { healed.push_back(n); }, ai::arg{"n", "points"});
    ai::pumped_run run;
    b.agent.options().approval = [&](const ai::proposed_call& call) {
        const auto n = *ai::integer_member(call.arguments, "n");
        if (n == 1) {
            return decision::ask();
        }
        if (n == 2) {
            return decision::allow_with({{"n", 3}});
        }
        if (n == 3) {
            CHECK(run.resume(1, decision::allow_with({{"n", 1'000'000}})));
        }
        return at_most_100(call);
    };
    run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(healed == std::vector<int>{3});
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"denied", "ok"});
}

TEST_CASE("a source that ends the run while it lists, or a journal that drops it, is survived") {
    five_calls b;
    ai::pumped_run run;
    struct ending {
        ai::pumped_run* run;
        int* listed;
        const int* ends_at;
        ai::result<ai::capability_list> declared = ai::declare({{.name = "other", .description = "Other."}});
        [[nodiscard]] ai::result<ai::capability_list> specs() const {
            if (++*listed == *ends_at) {
                *run = {};
            }
            return declared;
        }
        void invoke(const ai::capability_call&, ai::capability_responder) {}
    };
    int listed = -1;
    int ends_at = 2;  // before the review
    REQUIRE(b.agent.capabilities().add(ending{&run, &listed, &ends_at}));
    run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK_FALSE(run);
    CHECK(b.ran.empty());
    five_calls c;
    REQUIRE(c.agent.capabilities().add(ending{&run, &(listed = -1), &(ends_at = 3)}));  // before the call
    run = c.ask();
    REQUIRE(c.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.resume(1, decision::allow()));
    CHECK(run.pump() == ai::progress::done);
    CHECK(c.ran.empty());

    struct dropping {
        ai::pumped_run* run;
        ai::result<void> append(const ai::journal_record& record) const {
            const json* input = ai::find_member(record.content, "input");
            if (input != nullptr && input->contains("decisions")) {
                *run = {};
            }
            return {};
        }
    };
    five_calls other;
    other.agent.options().journal = dropping{&run};
    run = other.ask();
    REQUIRE(other.settle(run) == ai::progress::awaiting_approval);
    CHECK(run.resume(1, decision::allow()));
    CHECK_FALSE(run);
}

TEST_CASE("a person who asks again before a restored run was pumped has not decided") {
    healing b(1);
    b.agent.options().approval = [](const ai::proposed_call&) { return decision::ask(); };
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    auto restored = b.agent.restore(run.snapshot());
    REQUIRE(restored);
    CHECK_FALSE(restored->reply().text.empty());
    REQUIRE(restored->resume(1, decision::ask()));
    CHECK(restored->pending().size() == 1);
    REQUIRE(restored->resume(1, decision::deny("no")));
    b.model.add(fake::say("Done."));
    CHECK(b.settle(*restored) == ai::progress::done);
    CHECK(b.healed.empty());
}
