#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

/// Counts how many of its calls run at the same time.
struct busy_model {
    struct counts {
        std::atomic<int> running = 0;
        std::atomic<int> most = 0;
    };
    std::shared_ptr<counts> seen = std::make_shared<counts>();

    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) const {
        const int now = ++seen->running;
        for (int most = seen->most; now > most && !seen->most.compare_exchange_weak(most, now);) {
        }
        for (int i = 0; i < 1000; ++i) {
            std::this_thread::yield();
        }
        --seen->running;
        return fake::response_of(ai::model_message("Hello."));
    }
};

}  // namespace

TEST_CASE("two agents share the threads of one executor") {
    const busy_model model;
    // [shared]
    const ai::thread_executor threads({.max_threads = 2});
    ai::agent first{model, {}, {}, {}, threads};
    ai::agent second{model, {}, {}, {}, threads};
    // [/shared]
    std::vector<ai::run> runs;
    for (int i = 0; i < 4; ++i) {
        runs.push_back(first.ask("question"));
        runs.push_back(second.ask("question"));
    }
    for (ai::run& run : runs) {
        run.pump();
        CHECK(threads.thread_count() <= 2);
    }
    for (ai::run& run : runs) {
        CHECK(run.wait().text == "Hello.");
    }
    CHECK(threads.thread_count() <= 2);
    CHECK(model.seen->most <= 2);
}

TEST_CASE("an agent that is destroyed leaves a shared executor to the others") {
    const ai::thread_executor threads;
    ai::agent second{fake::scripted_provider{fake::say("Hello.")}, {}, {}, {}, threads};
    {
        const ai::agent first{ai::no_provider{}, {}, {}, {}, threads};
    }
    CHECK(second.ask("question").wait().text == "Hello.");
}
