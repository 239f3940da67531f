#include "agent_bench.hpp"
#include "catch.hpp"

#include <pyaichat/agent/recover.hpp>

#include <map>

using namespace bench;
using ai::json;

namespace {

fake::scripted_reply calls_of(std::initializer_list<const char*> names) {
    std::vector<ai::call_part> all;
    for (const char* name : names) {
        all.push_back({.id = std::to_string(all.size() + 1), .name = name});
    }
    return fake::calls(std::move(all));
}

/// Capabilities that reply when the test says so: `a` to `e` read, `write` does not.
struct library : agent_bench {
    std::map<std::string, ai::capability_responder> open = {};
    std::map<std::string, ai::cancel_token> tokens = {};
    std::string invoked = {};
    explicit library(std::initializer_list<fake::scripted_reply> script, int parallel = 5) : agent_bench(script) {
        agent.options().limits.parallel_reads = parallel;
        for (const char* name : {"a", "b", "c", "d", "e", "write"}) {
            const bool reads = std::string_view(name) != "write";
            REQUIRE(agent.capabilities().add(
                ai::function_capability({.name = name, .description = "A test.", .effects = reads ? ai::effects::read : ai::effects::once},
                                        [this, name](const ai::capability_call& call, ai::capability_responder responder) {
                                            invoked += name;
                                            tokens[name] = call.cancel;
                                            open[name] = std::move(responder);
                                        })));
        }
    }
    /// Lets these calls reply, in this order.
    ai::progress reply(ai::pumped_run& run, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            open.at(name)(ai::reply_with(name));
        }
        return settle(run);
    }
};

}  // namespace

TEST_CASE("reads run side by side if the host allows it, and their replies keep the order of the calls") {
    library b({calls_of({"a", "b", "c", "d", "e"}), fake::say("Done.")}, 3);
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    CHECK(b.invoked == "abc");
    b.reply(run, {"c"});
    CHECK(b.invoked == "abcd");
    b.reply(run, {"a", "b"});
    CHECK(b.invoked == "abcde");
    CHECK(b.reply(run, {"e", "d"}) == ai::progress::done);
    CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"a"})", R"({"ok":true,"result":"b"})",
                                                                       R"({"ok":true,"result":"c"})", R"({"ok":true,"result":"d"})",
                                                                       R"({"ok":true,"result":"e"})"});
    CHECK(b.events.all<ai::call_started>().size() == 5);
    CHECK(b.events.all<ai::call_finished>().size() == 5);
}

TEST_CASE("by default, calls run one after another") {
    library b({calls_of({"a", "b"}), fake::say("Done.")}, ai::limits{}.parallel_reads);
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    CHECK(b.invoked == "a");
}

TEST_CASE("a call that is not a read waits for those before it, and those after it wait for it") {
    library b({calls_of({"a", "b", "write", "c", "d"}), fake::say("Done.")});
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    CHECK(b.invoked == "ab");
    b.reply(run, {"b"});
    CHECK(b.invoked == "ab");
    b.reply(run, {"a"});
    CHECK(b.invoked == "abwrite");
    b.reply(run, {"write"});
    CHECK(b.invoked == "abwritecd");
    CHECK(b.reply(run, {"d", "c"}) == ai::progress::done);
}

TEST_CASE("each of several reads has its own time, from when it is invoked") {
    library b({calls_of({"a", "b", "c"}), fake::say("Done.")});
    b.agent.options().limits.call_timeout = 5s;
    REQUIRE(b.agent.capabilities().add(ai::capability("other", "Other.", [] {})));
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    b.clock.advance(3s);
    b.reply(run, {"a"});
    CHECK_FALSE(b.tokens["b"].stop_requested());  // the token is that of all of them
    b.clock.advance(3s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "timeout", "timeout"});
    CHECK(b.tokens["b"].stop_requested());
}

TEST_CASE("a read that blocks takes no time from those beside it") {
    agent_bench b{calls_of({"slow", "slow", "slow"}), fake::say("Done.")};
    b.agent.options().limits.parallel_reads = 3;
    b.agent.options().limits.call_timeout = 5s;
    REQUIRE(b.agent.capabilities().add(ai::capability("slow", "Blocks.", [&] { b.clock.advance(3s); }).with(ai::effects::read)));
    CHECK(codes_in(b.answer().messages) == std::vector<std::string>{"ok", "ok", "ok"});
}

TEST_CASE("reads beside each other may call others and show output, and are all cancelled with the run") {
    library b({calls_of({"a", "outer", "b"}), fake::say("Done.")});
    std::string nested;
    ai::capability_responder outer;
    REQUIRE(b.agent.capabilities().add(ai::function_capability(
        {.name = "outer", .description = "Calls another.", .effects = ai::effects::read},
        [&](const ai::capability_call& call, ai::capability_responder responder) {
            call.others("c", json::object(), ai::capability_responder([&](ai::capability_reply reply) { nested = to_string(reply.code); }));
            outer = std::move(responder);
        })));
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    CHECK(b.invoked == "abc");
    b.open.at("b").output("from b");
    b.open.at("a").output("from a");
    SECTION("a read that ends leaves the nested calls of another") {
        b.reply(run, {"a", "b"});
        CHECK(nested.empty());
        b.reply(run, {"c"});
        CHECK(nested == "ok");
        outer(ai::reply_with(1));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(b.events.all<ai::call_output>().size() == 2);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok", "ok"});
    }
    SECTION("a read that ends takes its own nested calls with it") {
        outer(ai::reply_with(1));
        b.settle(run);
        CHECK(nested == "cancelled");
        CHECK(b.reply(run, {"a", "b"}) == ai::progress::done);
    }
    SECTION("cancel") {
        run.cancel();
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(nested == "cancelled");
        for (const char* name : {"a", "b", "c"}) {
            CHECK(b.tokens[name].stop_requested());
        }
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"cancelled", "cancelled", "cancelled"});
    }
}

TEST_CASE("a read beside others may suspend itself: the others go on, and later calls wait") {
    library b({calls_of({"a", "b", "write"}), fake::say("Done.")});
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::waiting);
    b.open.at("a")(ai::suspend_call("later"));
    REQUIRE(b.settle(run) == ai::progress::waiting);
    REQUIRE(run.pending().size() == 1);
    SECTION("its reply comes while another runs") {
        REQUIRE(run.resume(1, ai::reply_with("a")));
        CHECK(b.settle(run) == ai::progress::waiting);
        CHECK(b.invoked == "ab");
        b.reply(run, {"b"});
    }
    SECTION("its reply comes after the others") {
        REQUIRE(b.reply(run, {"b"}) == ai::progress::awaiting_approval);
        CHECK(b.invoked == "ab");
        REQUIRE(run.resume(1, ai::reply_with("a")));
        b.settle(run);
    }
    CHECK(b.invoked == "abwrite");
    CHECK(b.reply(run, {"write"}) == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok", "ok"});
}

TEST_CASE("reads that ran beside each other are made again after a restore or a crash") {
    std::vector<ai::journal_record> records;
    json snapshot;
    {
        library b({calls_of({"a", "b", "c"})});
        b.agent.options().journal = kept_records{&records};
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::waiting);
        b.reply(run, {"b"});
        snapshot = run.snapshot();
    }
    library b({fake::say("Done.")});
    ai::on observers{[&](const ai::event& one) { b.events(one); }};
    auto run = GENERATE(true, false) ? b.agent.restore(snapshot, std::move(observers)) : b.agent.recover(records, std::move(observers));
    REQUIRE(run);
    REQUIRE(b.settle(*run) == ai::progress::waiting);
    CHECK(b.invoked == "ac");
    CHECK(b.events.all<ai::call_started>().empty());  // they were shown before
    CHECK(b.reply(*run, {"c", "a"}) == ai::progress::done);
    CHECK(codes_in(run->reply().messages) == std::vector<std::string>{"ok", "ok", "ok"});
    CHECK(run->reply().text == "Done.");
}

TEST_CASE("reads that are the same, or change, are judged as if they ran one after another") {
    SECTION("too often") {
        library b({calls_of({"a", "b", "a", "a", "c", "a"}), fake::say("Done.")});
        b.agent.options().limits.max_repeats = 2;
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::waiting);
        CHECK(b.invoked == "ab");  // the same call is not made twice at a time
        b.reply(run, {"a"});
        CHECK(b.invoked == "aba");
        b.reply(run, {"a"});
        CHECK(b.invoked == "abac");
        b.reply(run, {"b", "c"});
        CHECK(run.reply().reason == ai::stop_reason::repeating);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok", "ok", "repeated", "ok", "cancelled"});
    }
    SECTION("changed while others run") {
        library b({calls_of({"a", "b", "late"}), fake::say("Done.")}, 2);
        bool asked = false;
        ai::result<ai::capability_list> declared = ai::declare({{.name = "late", .description = "One.", .effects = ai::effects::read}});
        struct changing {
            ai::result<ai::capability_list>* declared;
            bool* asked;
            [[nodiscard]] ai::result<ai::capability_list> specs() const { return *declared; }
            void invoke(const ai::capability_call&, ai::capability_responder responder) {
                *asked = true;
                responder(ai::reply_with(1));
            }
        };
        REQUIRE(b.agent.capabilities().add(changing{&declared, &asked}));
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::waiting);
        declared = ai::declare({{.name = "late", .description = "Two.", .effects = ai::effects::read}});
        b.reply(run, {"a"});
        CHECK(b.reply(run, {"b"}) == ai::progress::done);
        CHECK_FALSE(asked);
        CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "ok", "denied"});
    }
}
