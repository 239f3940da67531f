#pragma once
/// The question of three requests, through a provider: what the benchmarks of all services share.
#include "cpu_time.hpp"
#include "player.hpp"

#include <benchmark/benchmark.h>

#include <utility>

namespace bench {

inline bool complete(const ai::answer& reply) {
    return reply.reason == ai::stop_reason::complete && reply.steps == 3;
}

template <class Work>
void measure(benchmark::State& state, Work&& work) {
    for (int warm_up = 0; warm_up < 50; ++warm_up) {
        work();
    }
    for (auto _ : state) {
        const std::int64_t before = process_cpu();
        if (!work()) {
            state.SkipWithError("an exchange failed");
            break;
        }
        state.SetIterationTime(static_cast<double>(process_cpu() - before) * 1e-9);
    }
}

}  // namespace bench
