#pragma once
#include <pyaichat/agent/detail/provider_gate.hpp>
#include <pyaichat/agent/detail/run_policies.hpp>
#include <pyaichat/agent/run.hpp>
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

/// The policies of one type of agent, as its runs use them.
template <class Provider, class Capabilities, class Clock, class Executor>
class policies_of final : public run_policies {
public:
    policies_of(Provider provider, Capabilities offered, agent_options chosen, Clock told_by, Executor run_on)
        : run_policies(std::move(chosen)),
          capabilities(std::move(offered)),
          clock_(std::move(told_by)),
          executor_(std::move(run_on)),
          provider_(std::make_shared<shared_provider>(std::move(provider))) {}

    /// Waits for a provider that was lent, until it has returned from every call.
    void return_what_was_lent() const {
        if (is_lent(provider_->provider)) {
            provider_->gate.close();
        }
    }

    [[nodiscard]] instant now() const noexcept override { return std::as_const(clock_).now(); }

    result<capability_list> declared() override { return std::as_const(capabilities).specs(); }

    void invoke(const capability_call& call, capability_responder responder) override { capabilities.invoke(call, std::move(responder)); }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) override {
        if constexpr (has_review<Capabilities>()) {
            return capabilities.review(batch);
        } else {
            return std::vector<call_decision>(batch.size());
        }
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
    /// Shared with tasks: a task that never ends keeps this, and nothing else, alive.
    struct shared_provider {
        explicit shared_provider(Provider value) : provider(std::move(value)) {}
        Provider provider;
        provider_gate gate = {};
    };

    void submit(const model_request& request, model_attempt attempt) {
        if constexpr (model_provider<Provider>) {
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
            // Inside until it has answered. The reply keeps the gate alive and not the provider, which may own the thread that answers.
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

/// An agent: a provider, capabilities, and how runs are made of them. It belongs to one thread. Runs are independent of each other, may be
/// interleaved by pumping, and may outlive the agent; an agent whose provider is borrowed waits in its destructor until that provider has
/// returned from every call (its token is tripped first), and its remaining runs fail.
template <class Provider, class Capabilities, class Clock, class Executor>
class basic_agent {
    static_assert(any_model_provider<Provider>,
                  "the first argument of an agent models pyaichat::model_provider or pyaichat::async_model_provider");
    static_assert(capability_source<Capabilities>, "the second argument of an agent models pyaichat::capability_source");
    static_assert(run_clock<Clock>, "the clock of an agent models pyaichat::run_clock");
    static_assert(task_executor<Executor>, "the executor of an agent models pyaichat::task_executor");

public:
    /// What `ask` returns: a run that can be waited for only where time passes by itself.
    using run_type = std::conditional_t<is_real_time<Clock>, run, pumped_run>;

    explicit basic_agent(Provider provider, Capabilities capabilities = {}, agent_options options = {}, Clock clock = {},
                         Executor executor = {})
        : policies_(std::make_shared<policies>(std::move(provider), std::move(capabilities), std::move(options), std::move(clock),
                                               std::move(executor))) {}

    basic_agent(basic_agent&&) noexcept = default;
    basic_agent& operator=(basic_agent&& other) noexcept {
        if (this != &other) {
            return_what_was_lent();
            policies_ = std::move(other.policies_);
        }
        return *this;
    }
    ~basic_agent() { return_what_was_lent(); }

    /// Starts a run, which makes progress when it is pumped or waited for. `observers` see its events, on the pumping thread.
    [[nodiscard]] run_type ask(run_request request, on observers = {}) {
        return policies_ ? run_type(detail::start_run(policies_, std::move(request), std::move(observers))) : run_type();
    }
    [[nodiscard]] run_type ask(std::string question, on observers = {}) {
        return ask(run_request{.question = std::move(question)}, std::move(observers));
    }

    /// Continues a run from its snapshot, taken here or elsewhere. Its limits are the snapshot's, everything else is this agent's. In the
    /// journal of this agent the run begins with the snapshot. Fails like `run_machine::restore`, and with `lease_lost` if that journal
    /// has later records of the run.
    [[nodiscard]] result<run_type> restore(const json& snapshot, on observers = {}) {
        return !policies_ ? moved_from() : handle_of(detail::restore_run(policies_, snapshot, std::move(observers)));
    }

    /// Continues a run after a crash, from the records of its journal. New records go to this agent's journal. Fails like
    /// `pyaichat::recover`, and with `lease_lost` if that journal has later records of the run.
    [[nodiscard]] result<run_type> recover(std::span<const journal_record> records, on observers = {}) {
        return !policies_ ? moved_from() : handle_of(detail::recover_run(policies_, records, std::move(observers)));
    }

    /// To add to, or to look at. Not while one of its own callbacks runs.
    [[nodiscard]] Capabilities& capabilities() noexcept { return policies_->capabilities; }
    [[nodiscard]] agent_options& options() noexcept { return policies_->options; }

private:
    using policies = detail::policies_of<Provider, Capabilities, Clock, Executor>;

    static result<run_type> handle_of(result<std::shared_ptr<detail::run_driver>> driver) {
        if (!driver) {
            return std::move(driver.error());
        }
        return run_type(std::move(*driver));
    }

    static result<run_type> moved_from() {
        return failure{.code = errc::invalid_state, .message = "the agent was moved from", .hint = "Ask the agent that it was moved to."};
    }

    void return_what_was_lent() {
        if (policies_) {
            policies_->return_what_was_lent();
        }
    }

    std::shared_ptr<policies> policies_;
};

extern template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline PYAICHAT_ABI
