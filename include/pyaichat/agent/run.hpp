#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/message/call_decision.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// What a pumped run is up to.
enum class progress : unsigned char {
    working,  ///< the budget is spent, there is more to do at once
    waiting,  ///< for a model, a call, or a delay: nothing to do at the moment
    awaiting_approval,
    done,
};

namespace detail {
class run_driver;
}

/// The host's handle of one run, as `ask` returns it. Everything but `cancel` belongs to one thread, on which capabilities and events run.
/// Destroying it cancels the run and drops what is in flight; it may be destroyed or cancelled from within its own callbacks.
class pumped_run {
public:
    pumped_run();  ///< empty: no run
    explicit pumped_run(std::shared_ptr<detail::run_driver> driver);
    pumped_run(pumped_run&&) noexcept;
    pumped_run& operator=(pumped_run&&) noexcept;
    ~pumped_run();

    /// Whether there is a run, ended or not.
    [[nodiscard]] explicit operator bool() const noexcept { return driver_ != nullptr; }

    /// Does what can be done now, never blocks, and stops soon after `budget` (a capability that takes longer is not interrupted). When one
    /// of its callbacks has put another run into this handle: `working`, as that one has everything to do; when none is left in it: `done`.
    progress pump(duration budget = std::chrono::milliseconds(1));

    /// Asks the run to end; the next pump ends it. Any thread.
    void cancel() const;

    /// Whether there is an answer. It is there from the event `run_finished` on.
    [[nodiscard]] bool done() const;

    /// Not for this run: see `run::wait`.
    template <class T = void>
    void wait() const {
        static_assert(!std::is_void_v<T>,
                      "this run's clock does not pass by itself, so waiting would never end: pump the run and advance the clock");
    }

    /// The answer of a run that is done, or how things stand in one that awaits approval; asking before is a broken contract.
    [[nodiscard]] const answer& reply() const;

    /// The calls that wait for a person; none when the run does not await approval.
    [[nodiscard]] std::vector<pending_call> pending() const;

    /// Says what was decided about pending calls, some or all of them; the next pump goes on. Fails with `invalid_state` for a call that is
    /// not pending, or was decided about already, or `invalid_argument` for arguments that do not fit and for two decisions about one call;
    /// then nothing was decided.
    result<void> resume(std::vector<call_ruling> rulings);
    result<void> resume(std::uint64_t call, call_decision decision);

    /// The run as JSON, for `basic_agent::restore` here or in another process: see `run_machine::snapshot`. What has happened so far is
    /// told to the observers first. Not from within a callback.
    [[nodiscard]] json snapshot() const;

protected:
    template <class Pump>
    progress watch(Pump pump);

    std::shared_ptr<detail::run_driver> driver_;
    std::shared_ptr<bool> gone_;  ///< tells whoever pumps that this handle was destroyed meanwhile
};

/// A run on a clock whose time passes by itself, so that it can be waited for.
class run : public pumped_run {
public:
    using pumped_run::pumped_run;

    /// Pumps and sleeps until the run is done, or awaits approval: then the answer's reason says so, and after `resume` it can be waited
    /// for again. When the run is dropped meanwhile, by one of its own callbacks, the answer says so.
    answer wait() &;
    answer wait() &&;

    /// Pumps and sleeps until the run is done, at most for `span`.
    progress wait_for(duration span);
};

}  // namespace pyaichat::inline PYAICHAT_ABI
