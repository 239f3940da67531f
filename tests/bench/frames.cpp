/// A game with 1,000 characters that think: what the frame pays.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>

#include "cpu_time.hpp"
#include "question.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <random>

namespace {

using namespace bench;

/// Does each piece of work so many frames after it was given: a model's thinking time, without threads that would blur the measure.
class frames_later {
public:
    void submit(ai::task work) { due_[(frame_ + delay_(random_)) % due_.size()].push_back(std::move(work)); }

    void next_frame() {
        ++frame_;
        std::vector<ai::task> now = std::move(due_[frame_ % due_.size()]);
        due_[frame_ % due_.size()].clear();
        for (ai::task& work : now) {
            work();
        }
    }

private:
    std::size_t frame_ = 0;
    std::array<std::vector<ai::task>, 256> due_ = {};
    std::minstd_rand random_{1};
    std::uniform_int_distribution<std::size_t> delay_{15, 120};  // a quarter of a second to two seconds at 60 frames a second
};

using mind = ai::basic_agent<looping_provider, ai::any_capabilities, ai::steady_clock, ai::borrowed<frames_later>>;

void frame_of_1000_runs(benchmark::State& state) {
    constexpr std::size_t characters = 1000;
    frames_later thinking;
    mind agent(looping_provider{},
               {ai::capability(
                    "get_health", "Health of a person.", [](const std::string&) { return health_result(); }, ai::arg{"who", "whose"}),
                ai::capability(
                    "list_enemies", "Enemies near the player.", [](double) { return enemies_result(); }, ai::arg{"radius", "in metres"})},
               {}, {}, ai::borrow(thinking));
    std::vector<ai::run> runs(characters);
    std::vector<double> frames;
    std::uint64_t answers = 0;

    const auto frame = [&] {
        for (ai::run& one : runs) {
            if (!one || one.done()) {
                answers += one ? 1 : 0;
                one = agent.ask(question);
            }
        }
        thinking.next_frame();
        const std::int64_t before = thread_cpu();
        for (ai::run& one : runs) {
            static_cast<void>(one.pump());
        }
        return static_cast<double>(thread_cpu() - before);
    };
    for (int warm_up = 0; warm_up < 300; ++warm_up) {
        frame();
    }
    answers = 0;
    for (auto _ : state) {
        frames.push_back(frame());
        state.SetIterationTime(frames.back() * 1e-9);
    }
    std::sort(frames.begin(), frames.end());
    const auto at = [&](double share) { return frames[static_cast<std::size_t>(share * static_cast<double>(frames.size() - 1))]; };
    state.counters["median_us"] = at(0.5) / 1000;
    state.counters["p999_us"] = at(0.999) / 1000;
    state.counters["answers_per_frame"] = static_cast<double>(answers) / static_cast<double>(frames.size());
}
BENCHMARK(frame_of_1000_runs)->UseManualTime()->Iterations(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
