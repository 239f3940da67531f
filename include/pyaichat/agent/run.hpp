#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// What a run is doing after `pump`.
enum class progress : unsigned char {
    working,            ///< the budget is spent; there is more to do
    waiting,            ///< for a model, a call or a delay
    awaiting_approval,  ///< or the reply to a suspended call: see `pending`
    done,
};

namespace detail {
class run_driver;
}

/// One run, as `ask` returns it. All members but `cancel` belong to one thread, on which capabilities and observers are called. Destroying
/// it cancels the run. It may be cancelled, replaced or destroyed in its own callbacks. Every member may be called in every state, in
/// release builds too: what an empty run, or one that has not ended, cannot answer is an answer or a failure with the code `invalid_state`.
class pumped_run {
public:
    pumped_run();  ///< empty
    explicit pumped_run(std::shared_ptr<detail::run_driver> driver);
    pumped_run(pumped_run&&) noexcept;
    pumped_run& operator=(pumped_run&&) noexcept;
    ~pumped_run();

    /// Whether it holds a run, ended or not.
    [[nodiscard]] explicit operator bool() const noexcept { return driver_ != nullptr; }

    /// Does what can be done now. Never blocks; stops after `budget`, except that a callback or a capability that takes longer is not
    /// interrupted. Returns `working` inside a callback of this run, and when a callback has put another run into this handle; `done` when
    /// the handle is empty.
    progress pump(duration budget = std::chrono::milliseconds(1));

    /// Asks the run to end. The next `pump` ends it. Thread-safe.
    void cancel() const;

    /// Whether the run has ended. True from the event `run_finished` on.
    [[nodiscard]] bool done() const;

    /// Does not compile: see `run::wait`.
    template <class T = void>
    void wait() const {
        static_assert(!std::is_void_v<T>,
                      "this run's clock does not pass by itself, so waiting would never end: pump the run and advance the clock");
    }

    /// The answer of a run that has ended, or the state of one that awaits approval. Otherwise an answer whose error is `invalid_state`.
    [[nodiscard]] const answer& reply() const;

    /// The calls about which a person has to decide, and those that are suspended.
    [[nodiscard]] std::vector<pending_call> pending() const;

    /// Decides about some or all pending calls. The decisions are in the journal when it returns; the next `pump` continues the run. Fails,
    /// and decides nothing, with `invalid_state` for a call that is not pending, and with `invalid_argument` for arguments that do not fit
    /// the declaration or for two decisions about one call. Fails with the journal's failure if they were applied but could not be
    /// recorded: the run then makes no further calls. May be called in callbacks.
    result<void> resume(std::vector<call_ruling> rulings);
    result<void> resume(std::uint64_t call, call_decision decision);
    /// Replies to a suspended call: see `suspend_call`. After a restore, asks the sources for their declarations first. The reply is in the
    /// journal when it returns, or, with hooks that answer later, when they have reviewed it: until then the call stays suspended. Fails
    /// with `invalid_state` if the call is not suspended, and with the journal's failure.
    result<void> resume(std::uint64_t call, capability_reply reply);

    /// The run as JSON, for `basic_agent::restore` in this or another process. Delivers the events so far to the observers first. Null
    /// for an empty run and inside a callback of this run.
    [[nodiscard]] json snapshot() const;

protected:
    template <class Pump>
    progress watch(Pump pump);

    std::shared_ptr<detail::run_driver> driver_;
    std::shared_ptr<bool> gone_;  ///< set when this handle is destroyed, for a `pump` that is still on the stack
};

/// A run that can be waited for, because its clock advances by itself.
class run : public pumped_run {
public:
    using pumped_run::pumped_run;

    /// Pumps and sleeps until the run has ended or awaits approval, and returns `reply()`. After approval, wait again. If a callback drops
    /// the run meanwhile, the reason is `cancelled`. Inside a callback of this run it returns at once, with the error `invalid_state`.
    answer wait() &;
    answer wait() &&;

    /// Pumps and sleeps until the run has ended or awaits approval, at most for `span`.
    progress wait_for(duration span);

private:
    answer wait_for_answer(bool take);
};

}  // namespace pyaichat::inline PYAICHAT_ABI
