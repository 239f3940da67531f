/// Server-sent events: how fast a stream is split.
#include <pyaichat/net/sse.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace {

namespace ai = pyaichat;

/// Events with `range(0)` bytes of data each, in pieces of `range(1)` bytes, as sockets give them.
void split_event_stream(benchmark::State& state) {
    std::string stream;
    while (stream.size() < std::size_t{1} << 20) {
        stream += "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"" +
                  std::string(static_cast<std::size_t>(state.range(0)), 'x') + "\"}]}}]}\r\n\r\n";
    }
    const auto piece = static_cast<std::size_t>(state.range(1));
    std::size_t events = 0;
    for (auto _ : state) {
        ai::net::sse_parser parser;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            const auto fed = parser.feed(std::string_view(stream).substr(at, piece), [&](const ai::net::sse_event& event) {
                ++events;
                benchmark::DoNotOptimize(event.data.data());
            });
            benchmark::DoNotOptimize(fed.has_value());
        }
        parser.finish([&](const ai::net::sse_event&) { ++events; });
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(stream.size()) * state.iterations());
    benchmark::DoNotOptimize(events);
}
BENCHMARK(split_event_stream)
    ->Args({100, 1400})
    ->Args({1000, 1400})
    ->Args({1000, 16384})
    ->Args({20000, 16384})
    ->ArgNames({"data", "piece"});

}  // namespace
