#pragma once
#include <pyaichat/agent/on.hpp>
#include <pyaichat/agent/options.hpp>
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/event_loop.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

class run_driver;

/// The connections of an attempt: `sink` and `reply` report its outcome, `stop` cancels it. Thread-safe.
struct model_attempt {
    cancel_source stop;
    delta_sink sink;
    model_reply reply;
};

/// The policies of an agent, type-erased for its runs, which share them. Called on the pumping thread.
class run_policies {
public:
    explicit run_policies(agent_options chosen) : options(std::move(chosen)) {}
    run_policies(const run_policies&) = delete;
    run_policies& operator=(const run_policies&) = delete;
    virtual ~run_policies() = default;

    [[nodiscard]] virtual instant now() const noexcept = 0;
    [[nodiscard]] virtual result<capability_list> declared() = 0;
    virtual void invoke(const capability_call& call, capability_responder responder) = 0;
    /// Returns whether a source reviews its calls.
    [[nodiscard]] virtual bool reviews_calls() const noexcept = 0;
    /// Returns the decisions of the sources about these calls, one for each.
    [[nodiscard]] virtual std::vector<call_decision> review(std::span<const proposed_call> batch) = 0;
    /// Returns whether the responses of the provider have a cost.
    [[nodiscard]] virtual bool tells_cost() const noexcept = 0;
    /// Returns whether the provider takes this schema for the answer: see `takes_answer_schema`.
    [[nodiscard]] virtual bool takes_answer_schema(const json& schema) const = 0;
    /// Returns the loop that a thread may run while it waits for an attempt, or null.
    [[nodiscard]] virtual std::shared_ptr<event_loop> loop() const = 0;
    /// Starts an attempt and returns. The attempt reports its outcome later, even if it is dropped.
    virtual void call_model(const model_request& request, model_attempt attempt) = 0;

    agent_options options;
};

/// These start a run, restore it from a snapshot, and recover it from its journal: see `basic_agent`.
[[nodiscard]] std::shared_ptr<run_driver> start_run(std::shared_ptr<run_policies> policies, run_request request, on observers);
[[nodiscard]] result<std::shared_ptr<run_driver>> restore_run(std::shared_ptr<run_policies> policies, const json& snapshot, on observers);
[[nodiscard]] result<std::shared_ptr<run_driver>> recover_run(std::shared_ptr<run_policies> policies,
                                                              std::span<const journal_record> records, on observers);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
