/// The agent loop: what a question costs, what a step costs late in a long run, what a pump costs that finds nothing to do.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/runtime/inline_executor.hpp>

#include "allocations.hpp"
#include "cpu_time.hpp"
#include "question.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace bench;

ai::any_capabilities player_capabilities() {
    return {ai::capability(
                "get_health", "Health of a person, and what ails them.", [](const std::string&) { return health_result(); },
                ai::arg{"who", "whose health"}),
            ai::capability(
                "list_enemies", "Enemies near the player, nearest first.",
                [](double, std::optional<bool>, std::optional<int>) { return enemies_result(); }, ai::arg{"radius", "in metres"},
                ai::arg{"awake_only", "leave out those that sleep"}, ai::arg{"limit", "the most that are listed"})};
}

void count_allocations(benchmark::State& state, std::uint64_t before) {
    state.counters["allocations"] = static_cast<double>(allocations() - before) / static_cast<double>(state.iterations());
}

/// Drives a machine by hand: `reply` answers a call, `model` a request.
template <class Model, class Reply>
const ai::answer& drive(ai::run_machine& machine, const ai::capability_list& declared, Model&& model, Reply&& reply) {
    const ai::instant now = {};
    for (;;) {
        while (machine.take_event() != nullptr) {
        }
        const ai::machine_action& wanted = machine.next(now);
        if (const auto* call = std::get_if<ai::action::call_model>(&wanted)) {
            machine.feed(ai::input::model_result{.attempt = call->attempt, .outcome = model(call->request)}, now);
        } else if (const auto* order = std::get_if<ai::action::invoke_capability>(&wanted)) {
            const ai::capability_call asked = machine.invocation(order->call);
            machine.feed(ai::input::invoking{.call = asked.number}, now);
            machine.feed(ai::input::call_reply{.call = asked.number, .reply = reply(asked)}, now);
        } else if (std::holds_alternative<ai::action::ask_approval>(wanted)) {
            machine.feed(ai::input::opinions{}, now);  // nobody minds
        } else if (std::holds_alternative<ai::action::list_capabilities>(wanted)) {
            machine.feed(ai::input::declarations{declared}, now);
        } else {
            machine.feed(ai::input::cancel{}, now);  // nothing else is wanted of these runs
            return std::get<ai::action::finished>(machine.next(now)).answer;
        }
    }
}

void question_through_run_machine(benchmark::State& state) {
    const ai::any_capabilities capabilities = player_capabilities();
    const ai::capability_list declared = *capabilities.specs();
    looping_provider provider;
    const std::uint64_t before = allocations();
    for (auto _ : state) {
        ai::run_machine machine({.run_id = "run", .instructions = "Be brief.", .question = question}, {});
        const ai::answer& reply = drive(
            machine, declared, [&](const ai::model_request& request) { return provider.complete(request, {}, {}); },
            [](const ai::capability_call& call) { return ai::reply_with(call.number == 1 ? health_result() : enemies_result()); });
        if (reply.reason != ai::stop_reason::complete || reply.steps != 3) {
            state.SkipWithError("the question was not answered");
            break;
        }
    }
    count_allocations(state, before);
}
BENCHMARK(question_through_run_machine);

void question_through_basic_agent(benchmark::State& state) {
    ai::basic_agent agent{looping_provider{}, player_capabilities(), ai::agent_options{.instructions = "Be brief."}, ai::steady_clock{},
                          ai::inline_executor{}};
    const std::uint64_t before = allocations();
    for (auto _ : state) {
        const ai::answer reply = agent.ask(question).wait();
        if (reply.reason != ai::stop_reason::complete || reply.steps != 3) {
            state.SkipWithError("the question was not answered");
            break;
        }
    }
    count_allocations(state, before);
}
BENCHMARK(question_through_basic_agent);

/// Ten steps up to number `k` of a run of 200, each with one call whose reply is 1 KB: the time of one.
void step_of_long_run(benchmark::State& state) {
    constexpr int steps = 200;
    constexpr int measured = 10;
    const auto last = static_cast<std::size_t>(state.range(0));
    const std::vector<ai::capability_spec> specs = {
        {.name = "read_page",
         .description = "One page.",
         .parameters = {{"type", "object"}, {"properties", {{"page", {{"type", "integer"}}}}}}}};
    const ai::capability_list declared = *ai::declare(specs);
    const ai::limits bounds{.max_steps = steps, .max_calls = steps};
    std::uint64_t allocated = 0;
    for (auto _ : state) {
        ai::run_machine machine({.run_id = "run", .question = question, .limits = bounds}, {});
        std::int64_t from = 0;
        std::int64_t spent = 0;
        const ai::answer& reply = drive(
            machine, declared,
            [&](const ai::model_request& request) {
                const std::size_t step = request.messages.size() / 2 + 1;
                if (step == last - measured + 1) {
                    from = thread_cpu();
                    allocated -= allocations();
                } else if (step == last) {
                    spent = thread_cpu() - from;
                    allocated += allocations();
                }
                ai::message content{.role = ai::role::model};
                if (step == steps) {
                    content.parts.push_back(ai::text_part{.text = "Read."});
                } else {
                    content.parts.push_back(ai::call_part{.name = "read_page", .arguments = {{"page", step}}});
                }
                return ai::result<ai::model_response>(response_with(std::move(content)));
            },
            [](const ai::capability_call& call) {
                return ai::reply_with(std::string(1000, 'x') + std::to_string(call.number));  // each another one: nothing repeats
            });
        if (reply.steps != steps || reply.reason != ai::stop_reason::complete) {
            state.SkipWithError("the run has ended early");
            break;
        }
        state.SetIterationTime(static_cast<double>(spent) / (measured - 1) * 1e-9);
    }
    state.counters["allocations"] = static_cast<double>(allocated) / (measured - 1) / static_cast<double>(state.iterations());
}
BENCHMARK(step_of_long_run)->Arg(10)->Arg(50)->Arg(100)->Arg(200)->UseManualTime()->Iterations(300);

/// Keeps the work and never does it: the model is thinking.
class idle_executor {
public:
    void submit(ai::task work) { kept_.push_back(std::move(work)); }

private:
    std::vector<ai::task> kept_;
};

void pump_with_nothing_to_do(benchmark::State& state) {
    ai::basic_agent agent{looping_provider{}, player_capabilities(),
                          ai::agent_options{.limits = {.step_timeout = ai::duration::max(), .total_timeout = ai::duration::max()}},
                          ai::steady_clock{}, idle_executor{}};
    ai::run run = agent.ask(question);
    while (run.pump() != ai::progress::waiting) {
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(run.pump());
    }
}
BENCHMARK(pump_with_nothing_to_do);

}  // namespace
