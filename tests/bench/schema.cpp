/// JSON Schema: a capability's arguments, and how the cost grows with the value.
#include <pyaichat/schema/validate.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace {

namespace ai = pyaichat;

const char* const weather = R"({
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1, "description": "City name"},
        "units": {"type": "string", "enum": ["metric", "imperial"]},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "details": {"type": "array", "items": {"type": "string", "enum": ["wind", "rain", "sun"]}, "maxItems": 3}
    },
    "required": ["city"],
    "additionalProperties": false
})";

void compile_typical_schema(benchmark::State& state) {
    const ai::json schema = *ai::parse_json(weather);
    for (auto _ : state) {
        benchmark::DoNotOptimize(ai::compile_schema(schema));
    }
}
BENCHMARK(compile_typical_schema);

void validate_typical_arguments(benchmark::State& state) {
    const ai::compiled_schema schema = *ai::compile_schema(*ai::parse_json(weather));
    const ai::json arguments = {{"city", "Paris"}, {"units", "metric"}, {"days", 3}, {"details", {"wind", "rain"}}};
    for (auto _ : state) {
        benchmark::DoNotOptimize(ai::validate(schema, arguments));
    }
}
BENCHMARK(validate_typical_arguments);

void validate_wrong_arguments(benchmark::State& state) {
    const ai::compiled_schema schema = *ai::compile_schema(*ai::parse_json(weather));
    const ai::json arguments = {{"city", ""}, {"units", "kelvin"}, {"days", 30}, {"detail", {"wind"}}};
    for (auto _ : state) {
        benchmark::DoNotOptimize(ai::validate(schema, arguments));
    }
}
BENCHMARK(validate_wrong_arguments);

/// A list of so many of the typical arguments.
void validate_list(benchmark::State& state) {
    const ai::json schema = {{"type", "array"}, {"items", *ai::parse_json(weather)}};
    const ai::compiled_schema compiled = *ai::compile_schema(schema);
    ai::json list = ai::json::array();
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        list.push_back({{"city", "Paris"}, {"units", "metric"}, {"days", 3}, {"details", {"wind", "rain"}}});
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(ai::validate(compiled, list));
    }
    state.counters["of_one_ns"] = benchmark::Counter(static_cast<double>(state.range(0)) * static_cast<double>(state.iterations()) * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(validate_list)->RangeMultiplier(10)->Range(10, 10'000);

}  // namespace
