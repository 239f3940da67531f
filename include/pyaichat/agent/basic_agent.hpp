#pragma once
#include <pyaichat/agent/detail/provider_gate.hpp>
#include <pyaichat/agent/detail/run_driver.hpp>
#include <pyaichat/agent/options.hpp>
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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Shared by agent, runs and tasks: a task that never ends keeps the provider, and nothing else, alive. What answers for an asynchronous
/// provider does not, so that the provider may own the thread it answers from: it would be destroyed there.
template <class Provider>
struct provider_block {
    explicit provider_block(Provider value) : provider(std::move(value)) {}

    Provider provider;
    std::shared_ptr<provider_gate> gate = std::make_shared<provider_gate>();
};

/// Shared by agent and runs, and by no other thread.
template <class Provider, class Capabilities, class Clock, class Executor>
struct agent_block {
    agent_block(Provider with, Capabilities offered, agent_options chosen, Clock told_by, Executor run_on)
        : provider(std::make_shared<provider_block<Provider>>(std::move(with))),
          capabilities(std::move(offered)),
          options(std::move(chosen)),
          clock(std::move(told_by)),
          executor(std::move(run_on)) {}

    std::shared_ptr<provider_block<Provider>> provider;
    Capabilities capabilities;
    agent_options options;
    Clock clock;
    Executor executor;
};

/// The effects of one run, over its agent's policies.
template <class Provider, class Capabilities, class Clock, class Executor>
class policy_driver final : public run_driver {
public:
    using block = agent_block<Provider, Capabilities, Clock, Executor>;

    policy_driver(std::shared_ptr<block> from, run_setup setup, on observers)
        : run_driver(std::move(setup), from->clock.now(), std::move(observers), from->options), block_(std::move(from)) {}
    policy_driver(std::shared_ptr<block> from, recovered_run recovered, instant at, on observers)
        : run_driver(std::move(recovered), at, std::move(observers), from->options), block_(std::move(from)) {}
    policy_driver(std::shared_ptr<block> from, run_machine restored, on observers)
        : run_driver(std::move(restored), std::move(observers), from->options), block_(std::move(from)) {}

    [[nodiscard]] instant now() const noexcept override { return std::as_const(block_->clock).now(); }

private:
    result<capability_list> declared() override { return std::as_const(block_->capabilities).specs(); }

    void invoke(const capability_call& call, capability_responder responder) override {
        block_->capabilities.invoke(call, std::move(responder));
    }

    [[nodiscard]] bool has_say() const override { return detail::has_say(std::as_const(block_->capabilities)); }

    [[nodiscard]] std::optional<std::vector<call_decision>> review(std::span<const proposed_call> batch) override {
        if constexpr (has_review<Capabilities>()) {
            return block_->capabilities.review(batch);
        } else {
            return std::nullopt;
        }
    }

    void call_model(const action::call_model& wanted, cancel_source stop) override {
        if constexpr (async_model_provider<Provider>) {
            if (is_async(block_->provider->provider)) {
                start(wanted, std::move(stop));
                return;
            }
        }
        if constexpr (model_provider<Provider>) {
            submit(wanted, std::move(stop));
        }
    }

    void submit(const action::call_model& wanted, cancel_source stop) {
        auto work = [provider = block_->provider, request = wanted.request, stop, sink = sink_of(inbox(), wanted.attempt),
                     reply = reply_of(inbox(), wanted.attempt)]() mutable {
            const provider_gate::pass inside = provider->gate->enter(stop);
            if (!inside) {
                return;  // the agent is gone, and its provider was only lent
            }
            reply(guarded([&] { return provider->provider.complete(request, sink, stop.get_token()); }, thrown));
        };
        block_->executor.submit(task(std::move(work), stop));
    }

    void start(const action::call_model& wanted, cancel_source stop) {
        // Inside until it has answered: an agent waits for that when the provider was only lent.
        struct visit {
            std::shared_ptr<provider_gate> gate;
            provider_gate::pass inside;
        };
        const std::shared_ptr<provider_gate>& gate = block_->provider->gate;
        const std::shared_ptr<const visit> here(new visit{gate, gate->enter(stop)});
        model_reply reply([here, box = inbox(), attempt = wanted.attempt](result<model_response> outcome) {
            reply_of(box, attempt)(std::move(outcome));
        });
        if (!here->inside) {
            return;
        }
        block_->provider->provider.start(wanted.request, sink_of(inbox(), wanted.attempt), stop.get_token(), std::move(reply));
    }

    [[nodiscard]] static result<model_response> thrown(std::string_view what) {
        return failure{.code = errc::internal, .message = "the provider threw: " + std::string(what)};
    }

    std::shared_ptr<block> block_;
};

/// Where the ids and seeds of runs come from.
[[nodiscard]] std::uint64_t next_seed(agent_options& options);
[[nodiscard]] std::string run_id_of(std::uint64_t seed);

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
        : block_(std::make_shared<block>(std::move(provider), std::move(capabilities), std::move(options), std::move(clock),
                                         std::move(executor))) {}

    basic_agent(basic_agent&&) noexcept = default;
    basic_agent& operator=(basic_agent&& other) noexcept {
        if (this != &other) {
            return_what_was_lent();
            block_ = std::move(other.block_);
        }
        return *this;
    }
    ~basic_agent() { return_what_was_lent(); }

    /// Starts a run. Nothing happens before it is pumped or waited for. `observers` see its events, on the pumping thread.
    [[nodiscard]] run_type ask(run_request request, on observers = {}) {
        const std::uint64_t seed = detail::next_seed(block_->options);
        run_setup setup{.run_id = detail::run_id_of(seed),
                        .instructions = request.instructions ? std::move(*request.instructions) : block_->options.instructions,
                        .history = std::move(request.history),
                        .context = std::move(request.context),
                        .question = std::move(request.question),
                        .limits = block_->options.limits,
                        .seed = seed,
                        .mode = request.mode};
        return run_type(std::make_shared<driver>(block_, std::move(setup), std::move(observers)));
    }
    [[nodiscard]] run_type ask(std::string question, on observers = {}) {
        return ask(run_request{.question = std::move(question)}, std::move(observers));
    }

    /// Goes on with a run from its snapshot, taken here or elsewhere; its limits are the snapshot's, everything else is this agent's. Fails
    /// like `run_machine::restore`. Such a run is not journalled: a journal has to begin at the beginning.
    [[nodiscard]] result<run_type> restore(const json& snapshot, on observers = {}) {
        result<run_machine> machine = run_machine::restore(snapshot, std::as_const(block_->clock).now());
        if (!machine) {
            return std::move(machine.error());
        }
        return run_type(std::make_shared<driver>(block_, std::move(*machine), std::move(observers)));
    }

    /// Goes on with a run whose program has died, from the records that its journal kept; new ones are appended to this agent's journal.
    /// Fails like `pyaichat::recover`.
    [[nodiscard]] result<run_type> recover(std::span<const journal_record> records, on observers = {}) {
        const instant now = std::as_const(block_->clock).now();
        result<recovered_run> recovered = pyaichat::recover(records, now);
        if (!recovered) {
            return std::move(recovered.error());
        }
        return run_type(std::make_shared<driver>(block_, std::move(*recovered), now, std::move(observers)));
    }

    /// To add to, or to look at. Not while one of its own callbacks runs.
    [[nodiscard]] Capabilities& capabilities() noexcept { return block_->capabilities; }
    [[nodiscard]] agent_options& options() noexcept { return block_->options; }

private:
    using block = detail::agent_block<Provider, Capabilities, Clock, Executor>;
    using driver = detail::policy_driver<Provider, Capabilities, Clock, Executor>;

    void return_what_was_lent() {
        if (!block_) {
            return;
        }
        if (is_lent(block_->provider->provider)) {
            block_->provider->gate->close();
        }
    }

    std::shared_ptr<block> block_;
};

extern template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline PYAICHAT_ABI
