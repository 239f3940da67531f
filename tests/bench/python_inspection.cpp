/// Looking at Python objects: what a call of each capability costs on small and on huge objects. A call on a huge object should cost little
/// more than one on a small object, because the work is bounded.
#include <pyaichat/python/session.hpp>

#include <benchmark/benchmark.h>

#include <future>
#include <memory>
#include <string>

namespace {

namespace ai = pyaichat;
namespace py = pyaichat::python;

const char* const objects = R"py(
class Small:
    def __init__(self): self.a, self.b = 1, [1, 2]
    def method(self): pass
small = Small()
attributes_20k = Small(); attributes_20k.__dict__.update({f'a{i}': i for i in range(20_000)})
attributes_100k = Small(); attributes_100k.__dict__.update({f'a{i}': i for i in range(100_000)})
long_name = type('n' * 10_000_000, (), {})()
exec('def parameters_5k(' + ', '.join(f'p{i}=0' for i in range(2500)) + ', *, ' + ', '.join(f'k{i}=0' for i in range(2500)) + '): pass')
dict_1m = {f'k{i}': i for i in range(1_000_000)}
ints_300k = list(range(300_000))
deep = []
for _ in range(100_000): deep = [deep]
chain = object
for i in range(1000): chain = type(f'C{i}', (chain,), {f'm{i}': i})
chain = chain()
def documented(): pass
documented.__doc__ = 'x' * 100_000_000
def long_table(): pass
long_table.__code__ = long_table.__code__.replace(co_linetable=b'\xd8\x00\x00' * 1_000_000)
)py";

py::interpreter& shared_interpreter() {
    static py::interpreter python = std::move(py::interpreter::start()).value();
    return python;
}

/// The session of most benchmarks of this file, with its objects.
py::session& shared_session(bool many_globals) {
    static py::interpreter& python = shared_interpreter();
    static py::session few = [] {
        py::session made(python);
        static_cast<void>(made.exec(objects));
        return made;
    }();
    static py::session many = [] {
        py::session made(python);
        static_cast<void>(made.exec("globals().update({f'variable_{i}': i for i in range(100_000)})"));
        return made;
    }();
    return many_globals ? many : few;
}

/// A snapshot of a process with a small heap, and of one with 1 GiB more. They run first, before the objects of the others exist.
void evaluate_in_copy(benchmark::State& state, const std::string& heap) {
    py::session session(shared_interpreter());
    static_cast<void>(session.exec(heap));
    ai::capability_call call;
    call.name = "eval_expr";
    call.arguments["expr"] = "(lambda: 6 * 7)()";
    call.time_left = std::chrono::seconds(60);
    for (auto _ : state) {
        std::promise<ai::capability_reply> promise;
        session.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { promise.set_value(std::move(reply)); }));
        if (!promise.get_future().get().ok()) {
            state.SkipWithError("the snapshot has failed");
        }
    }
    static_cast<void>(session.exec("heap = None"));
}
BENCHMARK_CAPTURE(evaluate_in_copy, small_heap, "heap = None")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(evaluate_in_copy, heap_of_1_GiB, "heap = bytearray(b'x') * (1 << 30)")->Unit(benchmark::kMicrosecond)->UseRealTime();

void look(benchmark::State& state, const std::string& capability, const std::string& expression, bool many_globals = false) {
    py::session& session = shared_session(many_globals);
    ai::capability_call call;
    call.name = capability;
    if (!expression.empty()) {
        call.arguments["expr"] = expression;
    }
    call.time_left = std::chrono::seconds(60);
    std::size_t bytes = 0;
    for (auto _ : state) {
        std::promise<ai::capability_reply> promise;
        session.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { promise.set_value(std::move(reply)); }));
        bytes = ai::dump_json(promise.get_future().get().envelope()).size();
    }
    state.counters["reply_bytes"] = static_cast<double>(bytes);
}

#define PYAICHAT_LOOK(capability, object) \
    BENCHMARK_CAPTURE(look, capability##_##object, #capability, #object)->Unit(benchmark::kMicrosecond)->UseRealTime()
PYAICHAT_LOOK(inspect, small);
PYAICHAT_LOOK(inspect, attributes_20k);
PYAICHAT_LOOK(inspect, attributes_100k);
PYAICHAT_LOOK(get_dir, small);
PYAICHAT_LOOK(get_dir, attributes_100k);
PYAICHAT_LOOK(get_type, small);
PYAICHAT_LOOK(get_type, long_name);
PYAICHAT_LOOK(get_repr, long_name);
PYAICHAT_LOOK(inspect, parameters_5k);
PYAICHAT_LOOK(inspect, dict_1m);
PYAICHAT_LOOK(get_repr, dict_1m);
PYAICHAT_LOOK(get_repr, ints_300k);
PYAICHAT_LOOK(get_repr, deep);
PYAICHAT_LOOK(inspect, chain);
PYAICHAT_LOOK(inspect, documented);
PYAICHAT_LOOK(get_doc, documented);
PYAICHAT_LOOK(inspect, long_table);
PYAICHAT_LOOK(get_source, Small);
PYAICHAT_LOOK(get_source, long_table);
#undef PYAICHAT_LOOK
BENCHMARK_CAPTURE(look, get_repr_last_key_of_1m, "get_repr", "dict_1m['k999999']")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(look, misspelt_attribute_of_100k, "get_repr", "attributes_100k.a9999x")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(look, list_globals_100k, "list_globals", "", true)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(look, misspelt_global_of_100k, "get_repr", "variabel_77", true)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(look, situation_100k, "situation", "", true)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Answers from memory while Python is busy.
void look_in_memory(benchmark::State& state, const std::string& capability, const std::string& expression) {
    py::session& session = shared_session(false);
    std::promise<void> slept;
    session.post("import time\ntime.sleep(3)", {}, [&](py::outcome) { slept.set_value(); });
    ai::capability_call call;
    call.name = capability;
    if (!expression.empty()) {
        call.arguments["expr"] = expression;
    }
    call.time_left = std::chrono::seconds(60);
    const auto look = [&] {
        std::promise<ai::capability_reply> promise;
        session.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { promise.set_value(std::move(reply)); }));
        return promise.get_future().get();
    };
    static_cast<void>(look());  // waits until the queue has no patience left
    for (auto _ : state) {
        if (const ai::capability_reply reply = look(); !reply.ok() || ai::find_member(reply.result, "best_effort") == nullptr) {
            state.SkipWithError("the reply did not come from memory");
        }
    }
    slept.get_future().wait();
}
BENCHMARK_CAPTURE(look_in_memory, get_repr_small, "get_repr", "small")->Unit(benchmark::kMicrosecond)->UseRealTime()->Iterations(200);
BENCHMARK_CAPTURE(look_in_memory, list_globals, "list_globals", "")->Unit(benchmark::kMicrosecond)->UseRealTime()->Iterations(50);
BENCHMARK_CAPTURE(look_in_memory, get_stack, "get_stack", "")->Unit(benchmark::kMicrosecond)->UseRealTime()->Iterations(200);

}  // namespace
