#include <pyaichat/agent/run_question.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;

TEST_CASE("one question is answered by one function call") {
    fake::scripted_provider model{fake::call("f"), fake::say("7")};
    const ai::answer reply = ai::run_question(ai::borrow(model), ai::capability("f", "F.", [] { return 7; }), "what is f?",
                                              ai::limits{.max_steps = 2}, "Be brief.");
    CHECK(reply.text == "7");
    CHECK(reply.steps == 2);
    CHECK(model.requests()[0].instructions == "Be brief.");
}
