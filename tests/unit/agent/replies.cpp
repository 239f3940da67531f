#include <pyaichat/agent/recover.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <limits>

using namespace bench;
using ai::json;

TEST_CASE("a replayed run is what the run was, whatever its calls have replied") {
    std::vector<ai::journal_record> records;
    agent_bench b{fake::call("odd"), fake::call("odd"), fake::say("Done.")};
    b.offer("odd", [] {
        return json{{"text", "\xff\xfe"}, {"number", std::numeric_limits<double>::quiet_NaN()}, {"bytes", json::binary({1, 2, 255})}};
    });
    b.agent.options().journal = kept_records{&records};
    ai::pumped_run run = b.ask();
    json before;
    while (run.pump(0ms) != ai::progress::done) {
        before = run.snapshot();
        const auto replayed = ai::replay(records);
        REQUIRE(replayed);
        while (b.background.run_one()) {
        }
        if (before["steps"] == 2 && before["phase"] == "calling_model") {
            CHECK(replayed->machine.snapshot(b.clock.now())["repeats"] == before["repeats"]);
            CHECK(replayed->machine.snapshot(b.clock.now())["messages"] == before["messages"]);
        }
    }
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok"});
}

TEST_CASE("a call that must not be repeated, and was cut off after it had begun, is in doubt") {
    for (const auto& [effects, code] : {std::pair(ai::effects::once, "in_doubt"), std::pair(ai::effects::read, "timeout")}) {
        agent_bench b{{fake::call("slow"), fake::say("Done.")}, {.call_timeout = 1s}};
        std::vector<ai::capability_responder> kept;
        REQUIRE(b.agent.capabilities().add(ai::capability("slow", "Slow.", [&](ai::capability_responder responder) {
                                               kept.push_back(std::move(responder));
                                           }).with(effects)));
        ai::pumped_run run = b.ask();
        b.settle(run);
        b.clock.advance(1s);
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{code});
    }
}

TEST_CASE("a call has a key of its own, which is the same when it is made again after a crash") {
    std::vector<ai::journal_record> records;
    std::vector<std::string> keys;
    agent_bench b{fake::calls({{.name = "find"}, {.name = "find"}}), fake::say("Done.")};
    const auto find = [&](const ai::capability_call& call, ai::capability_responder responder) {
        keys.push_back(call.idempotency_key);
        responder(ai::reply_with(1));
    };
    REQUIRE(b.agent.capabilities().add(
        ai::function_capability({.name = "find", .description = "Finds.", .effects = ai::effects::idempotent}, find)));
    b.agent.options().journal = kept_records{&records};
    b.answer();
    b.agent.options().journal = {};
    REQUIRE(keys.size() == 2);
    CHECK(keys[0] == records[0].run_id + "/1");
    CHECK(keys[1] == records[0].run_id + "/2");
    for (std::size_t kept = 1; kept < records.size(); ++kept) {
        const json* input = ai::find_member(records[kept - 1].content, "input");
        if (input != nullptr && input->contains("invoking")) {
            keys.clear();
            auto run = b.agent.recover(std::span(records).first(kept));
            REQUIRE(run);
            b.model.add(fake::say("Done."));
            b.settle(*run);
            CHECK(keys.at(0) == records[0].run_id + "/" + std::to_string((*input)["invoking"]["call"].get<int>()));
        }
    }
}

TEST_CASE("timeouts and errors that repeat are remarked on, refused, and end the run") {
    agent_bench b{{fake::call("slow"), fake::call("slow"), fake::call("slow"), fake::call("slow"), fake::call("slow"), fake::say("never")},
                  {.max_steps = 10, .total_timeout = 60s, .call_timeout = 1s}};
    int ran = 0;
    REQUIRE(b.agent.capabilities().add(
        ai::capability("slow", "Slow.", [&] { b.clock.advance(std::chrono::milliseconds(1500 + 37 * ++ran)); }).with(ai::effects::read)));
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::repeating);
    CHECK(ran == 3);
    const std::vector<std::string> replies = replies_in(run.reply().messages);
    CHECK(replies.at(2).find("it will not be run again") != std::string::npos);
    CHECK(replies.at(3).find("repeated") != std::string::npos);
}

TEST_CASE("a cancel that nobody has pumped is in a snapshot, and in the journal of a run that is dropped") {
    std::vector<ai::journal_record> records;
    agent_bench b{fake::say("never")};
    b.agent.options().journal = kept_records{&records};
    {
        ai::pumped_run run = b.ask();
        run.pump();
        run.cancel();
        auto restored = b.agent.restore(run.snapshot());
        REQUIRE(restored);
        CHECK(b.settle(*restored) == ai::progress::done);
        CHECK(restored->reply().reason == ai::stop_reason::cancelled);
    }
    records.clear();
    {
        ai::pumped_run run = b.ask();
        run.pump();
        run.cancel();
    }
    auto recovered = b.agent.recover(records);
    REQUIRE(recovered);
    CHECK(b.settle(*recovered) == ai::progress::done);
    CHECK(recovered->reply().reason == ai::stop_reason::cancelled);
    CHECK(b.model.request_count() == 0);
}

TEST_CASE("a long reply is cut near its limit in one pass, escapes and all") {
    for (const std::string& piece :
         {std::string("a"), std::string("\""), std::string("\n"), std::string("\xC3\xA9"), std::string("\x01")}) {
        std::string text;
        while (text.size() < 100'000) {
            text += piece;
        }
        agent_bench b{{fake::call("long"), fake::call("broken"), fake::say("Done.")}, {.max_reply_bytes = 4096}};
        b.offer("long", [&] { return text; });
        b.offer("broken", [&]() -> ai::result<int> { return ai::failure{.code = ai::errc::internal, .message = text}; });
        const ai::answer reply = b.answer();
        for (const std::string& cut : replies_in(reply.messages)) {
            CHECK(cut.size() <= 4096);
            CHECK(cut.size() > 4000);
        }
        const std::string whole = replies_in(reply.messages).at(0);
        const json envelope = *ai::parse_json(whole);
        const std::string kept(*ai::string_member(envelope["result"], "text"));
        CHECK(envelope["truncated"]["bytes"] == text.size() - (kept.size() - std::string("\n[...]\n").size()));
    }
}

TEST_CASE("a call that ends the program each time is not made for ever") {
    std::vector<ai::journal_record> records;
    agent_bench b{fake::call("fatal")};
    int made = 0;
    REQUIRE(b.agent.capabilities().add(ai::capability("fatal", "Ends the program.", [&](ai::capability_responder responder) {
                                           ++made;
                                           static std::vector<ai::capability_responder> kept;
                                           kept.push_back(std::move(responder));
                                       }).with(ai::effects::idempotent)));
    b.agent.options().journal = kept_records{&records};
    {
        ai::pumped_run run = b.ask();
        b.settle(run);
    }
    for (int recovery = 1; recovery <= 4; ++recovery) {
        const std::vector<ai::journal_record> before = records;
        auto run = b.agent.recover(before);
        REQUIRE(run);
        const bool ends = b.settle(*run) == ai::progress::done;
        CHECK(ends == (recovery == 4));
        if (ends) {
            CHECK(run->reply().reason == ai::stop_reason::max_recoveries);
            CHECK(run->reply().text.find("more often than 3 times") != std::string::npos);
            CHECK(codes_in(run->reply().messages) == std::vector<std::string>{"cancelled"});
        }
    }
    CHECK(made == 1 + 3);
}

TEST_CASE("a model call that is made again after a crash is a step") {
    std::vector<ai::journal_record> records;
    agent_bench b{{fake::say("words")}, {.max_steps = 2}};
    b.agent.options().journal = kept_records{&records};
    {
        ai::pumped_run run = b.ask();
        CHECK(run.pump() == ai::progress::waiting);
    }
    for (int recovery = 1; recovery <= 2; ++recovery) {
        const std::vector<ai::journal_record> before = records;
        auto run = b.agent.recover(before);
        REQUIRE(run);
        CHECK(run->pump() == (recovery == 1 ? ai::progress::waiting : ai::progress::done));
        if (recovery == 2) {
            CHECK(run->reply().reason == ai::stop_reason::max_steps);
        }
    }
}

TEST_CASE("hooks and callers of nested calls get a long reply cut, so that it costs no frame") {
    const std::string long_text(3 << 20, 'x');
    std::size_t seen = 0;
    struct looking {
        std::size_t* seen;
        void after_call(const ai::capability_call& call, ai::capability_reply& reply) const {
            *seen += call.name == "long" ? ai::dump_json(reply.envelope()).size() : 0;
        }
    };
    SECTION("hooks") {
        agent_bench b{fake::call("long"), fake::say("Done.")};
        b.offer("long", [&] { return long_text; });
        b.agent.options().hooks.emplace_back(looking{&seen});
        const ai::answer reply = b.answer();
        CHECK(replies_in(reply.messages)[0].size() <= ai::limits{}.max_reply_bytes);
        const json envelope = *ai::parse_json(replies_in(reply.messages)[0]);
        CHECK(*ai::integer_member(*ai::find_member(envelope, "truncated"), "bytes") > (3 << 20) - (16 << 10));
    }
    SECTION("callers") {
        agent_bench b{fake::call("outer"), fake::say("Done.")};
        b.offer("long", [&] { return long_text; });
        REQUIRE(b.agent.capabilities().add(ai::function_capability(
            {.name = "outer", .description = "Calls another."}, [&](const ai::capability_call& call, ai::capability_responder responder) {
                auto kept = std::make_shared<ai::capability_responder>(std::move(responder));
                call.others("long", json::object(), ai::capability_responder([&seen, kept](const ai::capability_reply& reply) {
                                seen = ai::dump_json(reply.envelope()).size();
                                (*kept)(ai::reply_with(1));
                            }));
            })));
        b.answer();
    }
    CHECK(seen > 200 << 10);
    CHECK(seen <= 256 << 10);
}
