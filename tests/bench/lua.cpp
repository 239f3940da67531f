/// Lua plugins: what a call, a state and loading cost, and what the containment costs against plain Lua in the same run.
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/lua/plugins.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace {

namespace ai = pyaichat;

constexpr ai::lua::sandbox roomy{.instructions = 1'000'000'000'000, .time = std::chrono::hours(1)};

const char* const compute = "local s = 0 for i = 1, 1000000 do s = s + i % 7 * 2 end return s";
const char* const arrays =
    "local t = {} for i = 1, 300 do t[i] = i end local s = 0 for k = 1, 1000 do for i = 1, 300 do s = s + t[i] t[i] = s % 10 end end "
    "return s";
const char* const recursion = "local function f(n) if n < 2 then return n end return f(n - 1) + f(n - 2) end return f(24)";

std::string plugin(const std::string& name, const std::string& body) {
    return "return { name = '" + name + "', api = 1, capabilities = { { name = '" + name +
           "', description = 'A benchmark.', effects = 'read', parameters = { type = 'object', properties = { id = { type = 'string' } } "
           "}, "
           "run = function(args, ctx) " +
           body + " end } } }";
}

void lua_trivial_call(benchmark::State& state) {
    ai::lua::plugins plugins({.sandbox = roomy});
    static_cast<void>(plugins.add_text("a.lua", plugin("a", "return { id = args.id, open = true }")));
    ai::capability_call call;
    call.name = "a";
    call.arguments["id"] = "attic";
    std::size_t answered = 0;
    for (auto _ : state) {
        plugins.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { answered += reply.ok() ? 1 : 0; }));
    }
    if (answered != static_cast<std::size_t>(state.iterations())) {
        state.SkipWithError("a call failed");
    }
    state.counters["state_bytes"] = static_cast<double>(plugins.describe()[0].memory);
}
BENCHMARK(lua_trivial_call);

void lua_load_100_plugins(benchmark::State& state) {
    for (auto _ : state) {
        ai::lua::plugins plugins({.sandbox = roomy});
        for (int i = 0; i < 100; ++i) {
            const std::string name = "p" + std::to_string(i);
            if (!plugins.add_text(name, plugin(name, "return args.id"))) {
                state.SkipWithError("a plugin was not loaded");
            }
        }
    }
}
BENCHMARK(lua_load_100_plugins)->Unit(benchmark::kMillisecond);

void contained(benchmark::State& state, const char* body) {
    ai::lua::plugins plugins({.sandbox = roomy});
    static_cast<void>(plugins.add_text("a.lua", plugin("a", body)));
    for (auto _ : state) {
        if (!plugins.call("a", ai::json::object()).ok()) {
            state.SkipWithError("the call failed");
        }
    }
}
void plain(benchmark::State& state, const char* body) {
    lua_State* const L = luaL_newstate();
    luaL_openlibs(L);
    luaL_loadstring(L, body);
    for (auto _ : state) {
        lua_pushvalue(L, -1);
        lua_call(L, 0, 0);
    }
    lua_close(L);
}
BENCHMARK_CAPTURE(plain, lua_compute, compute)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(contained, lua_compute, compute)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plain, lua_arrays, arrays)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(contained, lua_arrays, arrays)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plain, lua_recursion, recursion)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(contained, lua_recursion, recursion)->Unit(benchmark::kMillisecond);

}  // namespace
