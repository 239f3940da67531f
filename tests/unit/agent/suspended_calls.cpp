#include "agent_bench.hpp"
#include "catch.hpp"

#include <pyaichat/agent/recover.hpp>

using namespace bench;
using ai::json;

namespace {

/// A model that orders a pizza, whose delivery takes days, and then looks.
struct pizzeria : agent_bench {
    int ordered = 0;
    int looked = 0;
    explicit pizzeria(std::initializer_list<fake::scripted_reply> script) : agent_bench(script) {
        offer("order", [this](ai::capability_responder responder) {
            ++ordered;
            responder(ai::suspend_call("the pizza is in the oven"));
        });
        offer("look", [this] { return ++looked; });
    }
    pizzeria() : pizzeria{fake::calls({{"1", "order", json::object()}, {"2", "look", json::object()}}), fake::say("It is here.")} {}
};

/// Answers each reply later, and adds a word to it.
struct slow_redaction {
    std::vector<std::pair<ai::capability_reply, ai::hook_responder<ai::capability_reply>>>* waiting;
    void after_call(const ai::capability_call&, ai::capability_reply reply, ai::hook_responder<ai::capability_reply> responder) const {
        waiting->emplace_back(std::move(reply), std::move(responder));
    }
};

}  // namespace

TEST_CASE("a suspended call pauses the run until its reply comes, and takes none of its time") {
    pizzeria b;
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    const auto pending = run.pending();
    REQUIRE(pending.size() == 1);
    CHECK(pending[0].suspended);
    CHECK(pending[0].call.name == "order");
    CHECK(pending[0].reason == "the pizza is in the oven");
    CHECK(run.reply().text == "Waiting for the reply to `order()` (the pizza is in the oven).");
    CHECK(is_legal_history(run.reply().messages));
    b.clock.advance(72h);
    CHECK(b.settle(run) == ai::progress::awaiting_approval);
    CHECK(b.looked == 0);  // calls run one after another
    REQUIRE(run.resume(1, ai::reply_with("a pizza")));
    CHECK(run.pending().empty());
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "It is here.");
    CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"a pizza"})", R"({"ok":true,"result":1})"});
    CHECK(b.ordered == 1);
}

TEST_CASE("only a suspended call takes a reply, and it takes no decision") {
    pizzeria b;
    ai::pumped_run run = b.ask();
    CHECK(run.resume(1, ai::reply_with(1)).error().code == ai::errc::invalid_state);
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    CHECK(run.resume(2, ai::reply_with(1)).error().code == ai::errc::invalid_state);
    const auto refused = run.resume(1, ai::call_decision::allow());
    CHECK(refused.error().code == ai::errc::invalid_state);
    CHECK(refused.error().hint.find("resume") != std::string::npos);
    REQUIRE(run.resume(1, ai::suspend_call("still baking")));  // it takes longer
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    CHECK(run.pending().at(0).reason == "still baking");
    REQUIRE(run.resume(1, ai::reply_error(ai::reply_code::internal, "burnt")));
    CHECK(run.resume(1, ai::reply_with(1)).error().code == ai::errc::invalid_state);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"internal", "ok"});
    ai::pumped_run empty;
    CHECK(empty.resume(1, ai::reply_with(1)).error().code == ai::errc::invalid_state);
}

TEST_CASE("a suspended call is not made again after a restore or a crash, and its reply may be the first thing that happens") {
    std::vector<ai::journal_record> records;
    json snapshot;
    {
        pizzeria b;
        b.agent.options().journal = kept_records{&records};
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
        snapshot = run.snapshot();
    }
    pizzeria b{fake::say("It is here.")};
    auto restored = GENERATE(true, false) ? b.agent.restore(snapshot) : b.agent.recover(records);
    REQUIRE(restored);
    if (GENERATE(true, false)) {
        REQUIRE(b.settle(*restored) == ai::progress::awaiting_approval);
    }
    REQUIRE(restored->pending().size() == 1);
    CHECK(restored->pending()[0].suspended);
    REQUIRE(restored->resume(1, ai::reply_with("a pizza")));
    CHECK(b.settle(*restored) == ai::progress::done);
    CHECK(restored->reply().text == "It is here.");
    CHECK(codes_in(restored->reply().messages) == std::vector<std::string>{"ok", "ok"});
    CHECK(b.ordered == 0);
    CHECK(b.looked == 1);
}

TEST_CASE("the reply to a suspended call is in the journal when resume returns") {
    std::vector<ai::journal_record> records;
    {
        pizzeria b;
        b.agent.options().journal = kept_records{&records};
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
        REQUIRE(run.resume(1, ai::reply_with("\xffpizza")));
    }
    pizzeria b{fake::say("It is here.")};
    auto recovered = b.agent.recover(records);
    REQUIRE(recovered);
    CHECK(b.settle(*recovered) == ai::progress::done);
    CHECK(replies_in(recovered->reply().messages)[0] == "{\"ok\":true,\"result\":\"\xEF\xBF\xBDpizza\"}");
    CHECK(b.ordered == 0);
}

TEST_CASE("hooks see the reply to a suspended call, not its suspension, before the journal does") {
    std::vector<ai::journal_record> records;
    std::vector<std::pair<ai::capability_reply, ai::hook_responder<ai::capability_reply>>> waiting;
    pizzeria b{fake::call("order"), fake::say("It is here.")};
    b.agent.options().journal = kept_records{&records};
    b.agent.options().hooks.emplace_back(slow_redaction{&waiting});
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    CHECK(waiting.empty());
    REQUIRE(run.resume(1, ai::reply_with("secret")));
    REQUIRE(waiting.size() == 1);
    const auto journalled = [&](std::string_view text) {
        return std::any_of(records.begin(), records.end(),
                           [&](const ai::journal_record& record) { return ai::dump_json(record.content).find(text) != std::string::npos; });
    };
    CHECK_FALSE(journalled("secret"));
    SECTION("and the program ends before they answer") {
        waiting.clear();
        pizzeria other{fake::say("It is here.")};
        auto recovered = other.agent.recover(records);
        REQUIRE(recovered);
        REQUIRE(other.settle(*recovered) == ai::progress::awaiting_approval);
        CHECK(recovered->pending().at(0).suspended);
    }
    SECTION("and they answer") {
        waiting[0].second(ai::reply_with("***"));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"***"})"});
        CHECK_FALSE(journalled("secret"));
    }
    SECTION("and they never answer") {
        b.clock.advance(1h);
        CHECK(b.settle(run) == ai::progress::awaiting_approval);
        CHECK(run.pending().at(0).suspended);
        auto restored = b.agent.restore(run.snapshot());
        REQUIRE(restored);
        REQUIRE(restored->resume(1, ai::reply_with("again")));
        REQUIRE(waiting.size() == 2);
        waiting[1].second(ai::reply_with("***"));
        CHECK(b.settle(*restored) == ai::progress::done);
        CHECK(restored->reply().text == "It is here.");
        CHECK(b.ordered == 1);
    }
}

TEST_CASE("a suspended call may be cancelled, and expires with the approvals") {
    pizzeria b;
    b.agent.options().limits.approval_timeout = 24h;
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    SECTION("cancelled") {
        run.cancel();
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(run.reply().reason == ai::stop_reason::cancelled);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"in_doubt", "cancelled"});
    }
    SECTION("expired") {
        b.clock.advance(25h);
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(run.reply().reason == ai::stop_reason::complete);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"in_doubt", "ok"});
    }
    CHECK(is_legal_history(run.reply().messages));
}

TEST_CASE("a nested call cannot be suspended, and one around nested calls can") {
    agent_bench b{fake::call("outer"), fake::say("Done.")};
    std::string nested;
    ai::capability_responder slow;
    ai::capability_responder outer;
    b.offer("order", [&](ai::capability_responder responder) { responder(ai::suspend_call()); });
    b.offer("slow", [&](ai::capability_responder responder) { slow = std::move(responder); });
    REQUIRE(b.agent.capabilities().add(ai::function_capability(
        {.name = "outer", .description = "Calls others."}, [&](const ai::capability_call& call, ai::capability_responder responder) {
            const auto keep = [&](const ai::capability_reply& reply) { nested += std::string(to_string(reply.code)) + ";"; };
            call.others("order", json::object(), ai::capability_responder(keep));
            call.others("slow", json::object(), ai::capability_responder(keep));
            outer = std::move(responder);
        })));
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    CHECK(nested == "in_doubt;");
    outer(ai::suspend_call("for all of it"));
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    CHECK(nested == "in_doubt;cancelled;");
    CHECK(run.pending().at(0).call.name == "outer");
    slow(ai::reply_with("too late"));
    REQUIRE(run.resume(1, ai::reply_with("all of it")));
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "Done.");
}

TEST_CASE("a reply to one suspended call gives the others no more time") {
    agent_bench b{fake::calls({{"1", "order", json::object()}, {"2", "again", json::object()}}), fake::say("Done.")};
    b.agent.options().limits.parallel_reads = 2;
    b.agent.options().limits.approval_timeout = 10s;
    for (const char* name : {"order", "again"}) {
        REQUIRE(b.agent.capabilities().add(ai::capability(name, "Orders.", [] { return ai::suspend_call(); }).with(ai::effects::read)));
    }
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.pending().size() == 2);
    b.clock.advance(9s);
    REQUIRE(run.resume(2, ai::reply_with(1)));
    CHECK(b.settle(run) == ai::progress::awaiting_approval);
    b.clock.advance(2s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"timeout", "ok"});
}

TEST_CASE("a hook cannot suspend a call, nor nest its reply too deep, and a replay agrees") {
    std::vector<ai::journal_record> records;
    struct bad {
        ai::capability_reply reply;
        void after_call(const ai::capability_call&, ai::capability_reply& changed) const { changed = reply; }
    };
    agent_bench b{fake::call("look"), fake::say("Done.")};
    b.offer("look", [] { return 1; });
    json deep = 1;
    for (int i = 0; i < 99; ++i) {
        deep = json::array({std::move(deep)});
    }
    b.agent.options().journal = kept_records{&records};
    b.agent.options().hooks.emplace_back(
        bad{GENERATE_COPY(as<ai::capability_reply>{}, ai::suspend_call("x"), ai::reply_with(json::array({deep})),
                          ai::reply_error(ai::reply_code::internal, "deep", deep))});
    const ai::answer reply = b.answer();
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"internal"});
    CHECK(is_legal_history(reply.messages));
    const auto replayed = ai::replay(records);
    REQUIRE(replayed);
    REQUIRE(replayed->machine.finished());
    CHECK(codes_in(replayed->machine.reply()->messages) == std::vector<std::string>{"internal"});
}

TEST_CASE("decisions about a nested call while hooks review the reply of its caller change nothing, in a replay neither") {
    std::vector<ai::journal_record> records;
    std::vector<std::pair<ai::capability_reply, ai::hook_responder<ai::capability_reply>>> replies;
    std::vector<ai::hook_responder<ai::call_decision>> decisions;
    struct slow : slow_redaction {
        std::vector<ai::hook_responder<ai::call_decision>>* decisions;
        void before_call(const ai::proposed_call& call, ai::hook_responder<ai::call_decision> responder) const {
            if (call.name == "look") {
                decisions->push_back(std::move(responder));
            } else {
                responder(ai::call_decision());
            }
        }
    };
    agent_bench b{fake::call("outer"), fake::call("pay"), fake::say("Done.")};
    std::uint64_t paid_as = 0;
    std::string nested;
    b.offer("look", [] { return 1; });
    b.offer("outer", [&](const ai::capability_call& call, ai::capability_responder responder) {
        call.others("look", json::object(),
                    ai::capability_responder([&](const ai::capability_reply& reply) { nested = to_string(reply.code); }));
        responder(ai::reply_with(1));
    });
    b.offer("pay", [&](const ai::capability_call& call, ai::capability_responder responder) {
        paid_as = call.number;
        responder(ai::reply_with(1));
    });
    b.agent.options().journal = kept_records{&records};
    b.agent.options().hooks.emplace_back(slow{{&replies}, &decisions});
    ai::pumped_run run = b.ask();
    b.settle(run);
    REQUIRE(decisions.size() == 1);
    decisions[0](ai::call_decision());
    b.settle(run);
    REQUIRE(replies.size() == 1);
    replies[0].second(replies[0].first);
    b.settle(run);
    CHECK(nested == "cancelled");
    CHECK(paid_as == 2);
    run = {};  // the program ends while hooks review the reply to `pay`
    auto recovered = b.agent.recover(records);
    REQUIRE(recovered);
    paid_as = 0;
    b.settle(*recovered);
    CHECK(paid_as == 0);
    CHECK(codes_in(recovered->reply().messages) == std::vector<std::string>{"ok", "in_doubt"});
}

TEST_CASE("a journal cannot resume the run whose record it writes") {
    struct resuming {
        ai::pumped_run* run;
        std::string* told;
        ai::result<void> append(const ai::journal_record&) const {
            for (const ai::pending_call& open : run->pending()) {
                const auto resumed = open.suspended ? run->resume(open.call.number, ai::reply_with(1))
                                                    : run->resume(open.call.number, ai::call_decision::allow());
                *told = to_string(resumed.error().code);
            }
            return {};
        }
    };
    pizzeria b;
    ai::pumped_run run;
    std::string told;
    b.agent.options().journal = resuming{&run, &told};
    run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    REQUIRE(run.resume(1, ai::suspend_call("later")));
    CHECK(told == "invalid_state");
}
