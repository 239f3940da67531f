#include <pyaichat/agent/options.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;

TEST_CASE("a request may bring its own instructions, context and history") {
    agent_bench bench{fake::say("Here."), fake::say("Again.")};
    ai::conversation stored;
    stored.push_back(ai::user_message("Earlier?"));
    stored.push_back(ai::model_message("Yes."));
    ai::pumped_run run = bench.agent.ask(ai::run_request{
        .question = "Where?", .history = stored, .context = "The player is in the cellar.", .instructions = "Answer in one word."});
    REQUIRE(bench.settle(run) == ai::progress::done);
    ai::pumped_run plain = bench.ask();
    REQUIRE(bench.settle(plain) == ai::progress::done);
    const auto requests = bench.model.requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].instructions == "Answer in one word.");
    CHECK(requests[1].instructions == "Be brief.");
    REQUIRE(requests[0].messages.size() == 3);
    CHECK(requests[0].messages.share(0) == stored.share(0));
    const ai::message& asked = requests[0].messages.back();
    REQUIRE(asked.parts.size() == 2);
    CHECK(asked.parts[0].as<ai::text_part>()->text == "The player is in the cellar.");
    CHECK(asked.parts[1].as<ai::text_part>()->text == "Where?");
}

TEST_CASE("a history from elsewhere is repaired before it is sent") {
    agent_bench bench{fake::say("Fine.")};
    ai::message orphan;
    orphan.parts.emplace_back(ai::response_part{.id = "7", .name = "gone"});
    ai::message calling{.role = ai::role::model};
    calling.parts.emplace_back(ai::call_part{.id = "8", .name = "look"});
    const ai::conversation broken{orphan, ai::user_message("Look."), calling};
    ai::pumped_run run = bench.agent.ask(ai::run_request{.question = "And?", .history = broken});
    REQUIRE(bench.settle(run) == ai::progress::done);
    const auto requests = bench.model.requests();
    REQUIRE(requests.size() == 1);
    CHECK(ai::check_history(requests[0].messages).empty());
    CHECK(requests[0].messages.back().text() == "And?");
    CHECK(codes_in(requests[0].messages) == std::vector<std::string>{"cancelled"});
}

TEST_CASE("what a running call puts out is shown, and is no part of its reply") {
    agent_bench bench{fake::call("long"), fake::say("Done.")};
    ai::capability_responder working;
    bench.offer("long", [&](ai::capability_responder responder) { working = std::move(responder); });
    ai::pumped_run run = bench.ask();
    CHECK(bench.settle(run) == ai::progress::waiting);
    working.output("half way");
    CHECK(bench.settle(run) == ai::progress::waiting);
    working(ai::reply_with(1));
    CHECK(bench.settle(run) == ai::progress::done);
    const auto shown = bench.events.all<ai::call_output>();
    REQUIRE(shown.size() == 1);
    CHECK(shown[0].text == "half way");
    CHECK(replies_in(run.reply().messages)[0] == R"({"ok":true,"result":1})");
}
