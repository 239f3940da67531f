#include <pyaichat/agent/pump_all.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;

TEST_CASE("many runs are pumped within one budget, each in its turn") {
    agent_bench b{};
    std::vector<std::string> told;
    std::vector<ai::pumped_run> runs;
    for (int i = 0; i < 5; ++i) {
        b.model.add(fake::say("words"));
        runs.push_back(b.agent.ask("q", ai::on{[&told, i](const ai::run_started&) {
                                       told.push_back(std::to_string(i));
                                       const auto until = std::chrono::steady_clock::now() + 3ms;
                                       while (std::chrono::steady_clock::now() < until) {
                                       }
                                   }}));
    }
    std::vector<ai::pumped_run*> all{nullptr};
    for (ai::pumped_run& run : runs) {
        all.push_back(&run);
    }
    ai::pump_all frame;
    CHECK(frame(all, 1ms) > 0);
    CHECK(told == std::vector<std::string>{"0"});  // its observer has spent the budget
    for (int i = 0; i < 100 && frame(all, 1ms) > 0; ++i) {
    }
    CHECK(told == std::vector<std::string>{"0", "1", "2", "3", "4"});
    while (b.background.run_one()) {
    }
    CHECK(frame(all, 1h) == 0);
    for (const ai::pumped_run& run : runs) {
        CHECK(run.reply().text == "words");
    }
    CHECK(frame({}, 1h) == 0);
}
