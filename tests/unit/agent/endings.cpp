#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;
using ai::json;

TEST_CASE("a blank hint of a provider gives no blank answer, and a hint does not hide the wanted delay") {
    agent_bench b{fake::fail(ai::errc::authentication, {}, " ")};
    const ai::answer blank = b.answer();
    CHECK(blank.text.find("API key") != std::string::npos);
    CHECK(is_legal_history(blank.messages));
    agent_bench other{fake::fail(ai::errc::rate_limited, 40s, "You have used your minute.")};
    CHECK(other.answer().text.find("You have used your minute. Try again in 40 s.") != std::string::npos);
}

TEST_CASE("a source that fails in mid-run does not say that the question was not asked, and keeps what is known") {
    agent_bench b{fake::call("once")};
    b.offer("once", [] { return "done"; });
    struct clashing {
        ai::result<ai::capability_list> declared = ai::declare({{.name = "one", .description = "One."}});
        bool* broken;
        [[nodiscard]] ai::result<ai::capability_list> specs() const {
            return *broken ? ai::result<ai::capability_list>(ai::failure{.code = ai::errc::name_clash, .message = "two of one name"})
                           : declared;
        }
        void invoke(const ai::capability_call&, ai::capability_responder) {}
    };
    bool broken = false;
    REQUIRE(b.agent.capabilities().add(clashing{.broken = &broken}));
    ai::pumped_run run = b.agent.ask("q", ai::on{[&](const ai::call_finished&) { broken = true; }});
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::misconfigured);
    CHECK(run.reply().text.find("not asked") == std::string::npos);
    CHECK(run.reply().text.find("once() -> done") != std::string::npos);
}

TEST_CASE("a question whose prompt was blocked is not sent again with the next one") {
    ai::model_response blocked;
    blocked.prompt_block = "SAFETY";
    agent_bench b{fake::respond(blocked), fake::say("fine")};
    const ai::answer first = b.answer("a bad question");
    CHECK(first.reason == ai::stop_reason::blocked);
    ai::pumped_run next = b.agent.ask(ai::run_request{.question = "a good one", .history = first.messages});
    CHECK(b.settle(next) == ai::progress::done);
    CHECK(next.reply().text == "fine");
    CHECK(b.model.requests().back().messages.size() == 1);
}

TEST_CASE("a model that cannot answer ends the run degraded, with its own text and nothing else") {
    agent_bench b{{fake::say("I do not understand that.", ai::finish_reason::unanswered)}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::unanswered);
    CHECK(reply.degraded());
    CHECK(reply.text == "I do not understand that.");
    CHECK(reply.steps == 1);
    CHECK(is_legal_history(reply.messages));
    CHECK(ai::to_string(reply.reason) == "unanswered");
}

TEST_CASE("a nested call keeps its own timeout, and the call around it goes on") {
    agent_bench b{fake::call("outer"), fake::say("Done.")};
    std::vector<ai::capability_responder> kept;
    ai::capability_spec slow{.name = "slow", .description = "Slow.", .effects = ai::effects::read, .timeout = 1s};
    REQUIRE(
        b.agent.capabilities().add(ai::function_capability(slow, [&](const ai::capability_call& call, ai::capability_responder responder) {
            CHECK(call.time_left == 1s);
            kept.push_back(std::move(responder));
        })));
    REQUIRE(b.agent.capabilities().add(ai::function_capability(
        {.name = "outer", .description = "Outer."}, [&](const ai::capability_call& call, ai::capability_responder responder) {
            auto waiting = std::make_shared<ai::capability_responder>(std::move(responder));
            call.others("slow", json::object(), ai::capability_responder([waiting](ai::capability_reply reply) {
                            (*waiting)(ai::reply_with(std::string(to_string(reply.code))));
                        }));
        })));
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    b.clock.advance(1s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(replies_in(run.reply().messages) == std::vector<std::string>{R"({"ok":true,"result":"timeout"})"});
}

TEST_CASE("a provider that did not answer in time is asked again while there is time") {
    agent_bench b{fake::fail(ai::errc::timeout), fake::say("words")};
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    b.clock.advance(1s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "words");
}
