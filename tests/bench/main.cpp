#include <benchmark/benchmark.h>

#include "question.hpp"

namespace {

/// What the other figures are told in: reading and writing the conversation of the standard question once, about 900 bytes of JSON.
void calibration(benchmark::State& state) {
    const std::string text = bench::conversation_text();
    for (auto _ : state) {
        std::string again = nlohmann::json::parse(text).dump();
        benchmark::DoNotOptimize(again);
    }
    state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(calibration);

}  // namespace

BENCHMARK_MAIN();
