#pragma once
#include <pyaichat/agent/detail/provider_gate.hpp>
#include <pyaichat/agent/detail/run_policies.hpp>
#include <pyaichat/agent/run.hpp>
#include <pyaichat/agent/typed_run.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/fwd.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/run_clock.hpp>
#include <pyaichat/policy/task_executor.hpp>
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/runtime/steady_clock.hpp>
#include <pyaichat/runtime/thread_executor.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// The policies of one type of agent.
template <class Provider, class Capabilities, class Clock, class Executor>
class policies_of final : public run_policies {
public:
    policies_of(Provider provider, Capabilities offered, agent_options chosen, Clock told_by, Executor run_on)
        : run_policies(std::move(chosen)),
          capabilities(std::move(offered)),
          clock_(std::move(told_by)),
          executor_(std::move(run_on)),
          provider_(std::make_shared<shared_provider>(std::move(provider))) {}

    /// Cancels the running calls of a borrowed provider and waits until they have returned.
    void return_what_was_lent() const {
        if (is_lent(provider_->provider)) {
            provider_->gate.close();
        }
    }

    [[nodiscard]] instant now() const noexcept override { return std::as_const(clock_).now(); }

    result<capability_list> declared() override { return std::as_const(capabilities).specs(); }

    void invoke(const capability_call& call, capability_responder responder) override { capabilities.invoke(call, std::move(responder)); }

    [[nodiscard]] bool reviews_calls() const noexcept override {
        if constexpr (requires(const Capabilities& all) { is_reviewed(all); }) {
            return is_reviewed(capabilities);
        }
        return has_review<Capabilities>();
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) override {
        if constexpr (has_review<Capabilities>()) {
            return capabilities.review(batch);
        } else {
            return std::vector<call_decision>(batch.size());
        }
    }

    [[nodiscard]] bool tells_cost() const noexcept override { return pyaichat::tells_cost(provider_->provider); }

    [[nodiscard]] bool takes_answer_schema(const json& schema) const override {
        return pyaichat::takes_answer_schema(std::as_const(provider_->provider), schema);
    }

    [[nodiscard]] std::shared_ptr<event_loop> loop() const override {
        const Provider& provider = std::as_const(provider_->provider);
        return is_async(provider) ? loop_of(provider) : nullptr;
    }

    void call_model(const model_request& request, model_attempt attempt) override {
        if (is_async(std::as_const(provider_->provider))) {
            start(request, std::move(attempt));
        } else {
            submit(request, std::move(attempt));
        }
    }

    Capabilities capabilities;

private:
    /// Shared with tasks: a task that never ends keeps only this alive.
    struct shared_provider {
        explicit shared_provider(Provider value) : provider(std::move(value)), gate(is_lent(provider)) {}
        Provider provider;
        provider_gate gate;
    };

    void submit(const model_request& request, model_attempt attempt) {
        if constexpr (model_provider<Provider>) {
            if constexpr (requires {
                              { std::as_const(executor_).check() } -> std::same_as<result<void>>;
                          }) {
                if (const result<void> ready = std::as_const(executor_).check(); !ready) {
                    return attempt.reply(ready.error());
                }
            }
            cancel_source stop = attempt.stop;
            auto work = [shared = provider_, request, attempt = std::move(attempt)]() mutable {
                if (const provider_gate::pass inside = shared->gate.enter(attempt.stop)) {
                    attempt.reply(guarded([&] { return shared->provider.complete(request, attempt.sink, attempt.stop.get_token()); },
                                          [](std::string_view what) -> result<model_response> {
                                              return failure{.code = errc::internal, .message = "the provider threw: " + std::string(what)};
                                          }));
                }
            };
            executor_.submit(task(std::move(work), std::move(stop)));
        }
    }

    void start(const model_request& request, model_attempt attempt) {
        if constexpr (async_model_provider<Provider>) {
            // The pass is held until the provider replies. The reply does not own the provider, which may own the replying thread.
            if (provider_gate::pass inside = provider_->gate.enter(attempt.stop)) {
                provider_->provider.start(request, attempt.sink, attempt.stop.get_token(),
                                          model_reply([inside = std::move(inside), reply = std::move(attempt.reply)](
                                                          result<model_response> outcome) mutable { reply(std::move(outcome)); }));
            }
        }
    }

    Clock clock_;
    Executor executor_;
    std::shared_ptr<shared_provider> provider_;
};

}  // namespace detail

/// Starts runs with a provider, capabilities and options. Not thread-safe. The runs are independent and may outlive the agent. If the
/// provider is borrowed, the destructor cancels its calls and blocks until they have returned; unfinished runs then fail.
template <class Provider, class Capabilities, class Clock, class Executor>
class basic_agent {
    static_assert(detail::is_provider<Provider>() && detail::is_source<Capabilities>());
    static_assert(
        run_clock<Clock>,
        "the fourth argument of an agent is its clock, with `pyaichat::instant now() const noexcept`, such as pyaichat::steady_clock");
    static_assert(task_executor<Executor>, "the fifth argument of an agent is its executor, with `void submit(pyaichat::task)`");

public:
    /// The handle that `ask` returns. It has `wait` only if the clock advances by itself.
    using run_type = std::conditional_t<is_real_time<Clock>, run, pumped_run>;

    /// Takes all policies by value; pass `borrow(x)` to keep one. Starts nothing.
    explicit basic_agent(Provider provider, Capabilities capabilities = {}, agent_options options = {}, Clock clock = {},
                         Executor executor = {})
        : policies_(std::make_shared<policies>(std::move(provider), std::move(capabilities), std::move(options), std::move(clock),
                                               std::move(executor))) {}

    /// Does not compile: says which argument does not fit.
    template <class P, class C = Capabilities, class O = agent_options, class K = Clock, class E = Executor>
        requires(!std::same_as<std::remove_cvref_t<P>, basic_agent> &&
                 !(std::convertible_to<P, Provider> && std::convertible_to<C, Capabilities> && std::convertible_to<O, agent_options> &&
                   std::convertible_to<K, Clock> && std::convertible_to<E, Executor>))
    explicit basic_agent(P&&, C&& = {}, O&& = {}, K&& = {}, E&& = {}) {
        if constexpr (!std::convertible_to<P, Provider>) {
            static_assert(detail::is_provider<std::remove_cvref_t<P>>());
        }
        static_assert(std::convertible_to<O, agent_options>, "the third argument of an agent is {.instructions = ..., .limits = {...}}");
        static_assert(std::is_void_v<P>,
                      "this type of agent has another provider, source, clock or executor; pyaichat::basic_agent takes them of any type");
    }

    basic_agent(basic_agent&&) noexcept = default;
    basic_agent& operator=(basic_agent&& other) noexcept {
        if (this != &other) {
            return_what_was_lent();
            policies_ = std::move(other.policies_);
        }
        return *this;
    }
    ~basic_agent() { return_what_was_lent(); }

    /// Starts a run. The run makes no progress until it is pumped or waited for. It never fails: a run that cannot start has an answer that
    /// says why. `observers` receive the events on the pumping thread. On a moved-from agent, returns an empty run.
    [[nodiscard]] run_type ask(run_request request, on observers = {}) {
        return policies_ ? run_type(detail::start_run(policies_, std::move(request), std::move(observers))) : run_type();
    }
    template <class Text>  // a template, because g++ 12 would take {.question = ...} for a text too
        requires std::constructible_from<std::string, Text>
    [[nodiscard]] run_type ask(Text&& question, on observers = {}) {
        return ask(run_request{.question = std::string(std::forward<Text>(question))}, std::move(observers));
    }

    /// Starts a run like `ask`, whose answer is a `T`: any type that `schema_of` and `decode` know. The model gives it as JSON, which is
    /// validated; if it does not fit, the model is asked again, within `limits::invalid_response_retries`. The event `partial_value` has
    /// what was streamed so far. An answer that ended early has no value: see `typed_answer`.
    template <class T>
    [[nodiscard]] typed_run<T, run_type> ask_for(run_request request, on observers = {}) {
        request.answer_schema = schema_of<T>();
        return typed_run<T, run_type>(ask(std::move(request), std::move(observers)));
    }
    template <class T, class Text>
        requires std::constructible_from<std::string, Text>
    [[nodiscard]] typed_run<T, run_type> ask_for(Text&& question, on observers = {}) {
        return ask_for<T>(run_request{.question = std::string(std::forward<Text>(question))}, std::move(observers));
    }

    /// Starts a run like `ask_for`, with a schema that is known at run time. With an invalid schema, the run ends as `misconfigured`.
    [[nodiscard]] typed_run<json, run_type> ask_json(run_request request, json schema, on observers = {}) {
        request.answer_schema = std::move(schema);
        return typed_run<json, run_type>(ask(std::move(request), std::move(observers)));
    }
    template <class Text>
        requires std::constructible_from<std::string, Text>
    [[nodiscard]] typed_run<json, run_type> ask_json(Text&& question, json schema, on observers = {}) {
        return ask_json(run_request{.question = std::string(std::forward<Text>(question))}, std::move(schema), std::move(observers));
    }

    /// Continues a run from a snapshot of this or another process. The limits come from the snapshot, everything else from this agent. The
    /// journal of this agent records the snapshot first. Fails like `run_machine::restore`, with `lease_lost` if the journal has later
    /// records of the run, and with `invalid_state` if the agent was moved from.
    [[nodiscard]] result<run_type> restore(const json& snapshot, on observers = {}) {
        return !policies_ ? moved_from() : handle_of(detail::restore_run(policies_, snapshot, std::move(observers)));
    }

    /// Continues a run after a crash, from the records of its journal. New records go to this agent's journal. Fails like
    /// `pyaichat::recover`, with `lease_lost` if that journal has later records, and with `invalid_state` if the agent was moved from.
    [[nodiscard]] result<run_type> recover(std::span<const journal_record> records, on observers = {}) {
        return !policies_ ? moved_from() : handle_of(detail::recover_run(policies_, records, std::move(observers)));
    }

    /// Asks the sources for their declarations, as each question does, so that the first question finds what they prepare. Fails, and
    /// throws, as a source does; a question would then end as `misconfigured`. Fails with `invalid_state` if the agent was moved from.
    [[nodiscard]] result<void> warm_up() {
        result<capability_list> listed = policies_ ? policies_->declared() : moved_from_error();
        return listed ? result<void>() : result<void>(std::move(listed.error()));
    }

    /// Returns the capabilities, to add to them. Do not use it in callbacks of the agent's runs, or if the agent was moved from.
    [[nodiscard]] Capabilities& capabilities() noexcept { return policies_->capabilities; }
    /// Returns the options. Changes apply to later runs. The same restrictions apply.
    [[nodiscard]] agent_options& options() noexcept { return policies_->options; }

private:
    using policies = detail::policies_of<Provider, Capabilities, Clock, Executor>;

    static result<run_type> handle_of(result<std::shared_ptr<detail::run_driver>> driver) {
        if (!driver) {
            return std::move(driver.error());
        }
        return run_type(std::move(*driver));
    }

    static result<run_type> moved_from() { return moved_from_error(); }

    static failure moved_from_error() {
        return failure{.code = errc::invalid_state, .message = "the agent was moved from", .hint = "Ask the agent that it was moved to."};
    }

    void return_what_was_lent() {
        if (policies_) {
            policies_->return_what_was_lent();
        }
    }

    std::shared_ptr<policies> policies_;
};

/// `basic_agent agent{provider, {capability(...), ...}}`: capabilities in braces are any.
template <class Provider, class Clock = steady_clock, class Executor = thread_executor>
basic_agent(Provider, any_capabilities = {}, agent_options = {}, Clock = {}, Executor = {})
    -> basic_agent<Provider, any_capabilities, Clock, Executor>;

extern template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline PYAICHAT_ABI
