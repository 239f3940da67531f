#pragma once
#include "agent/driver/hook_desk.hpp"
#include "agent/driver/mailbox.hpp"
#include "agent/storage/run_log.hpp"

#include <pyaichat/agent/detail/run_policies.hpp>
#include <pyaichat/agent/run.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Performs the actions of a run_machine with the policies of an agent. Manages threads, queues and lifetimes; decides nothing.
class run_driver : public std::enable_shared_from_this<run_driver> {
public:
    run_driver(std::shared_ptr<run_policies> policies, run_machine machine, run_log log, on observers);
    run_driver(const run_driver&) = delete;
    run_driver& operator=(const run_driver&) = delete;

    progress pump(duration budget);
    /// Returns whether `pump` has nothing to do. It then runs no callback.
    [[nodiscard]] bool is_resting() const noexcept { return !mailbox_->has_news() && now() < resting_until_; }
    void cancel() { mailbox_->cancel(); }
    /// Stops the run when its handle is destroyed: cancels its work and delivers no more events.
    void abandon();
    [[nodiscard]] bool done() const noexcept { return machine_.finished(); }
    /// Returns the answer of a finished run, or the state of a run that awaits approval, else null.
    [[nodiscard]] const answer* reply() const noexcept { return machine_.reply(); }
    /// Moves the answer out of a finished run.
    [[nodiscard]] answer take_reply() { return machine_.take_answer(); }
    /// Returns whether a callback of this run is on the stack.
    [[nodiscard]] bool is_inside() const noexcept { return pumping_; }
    [[nodiscard]] std::vector<pending_call> pending() const { return machine_.pending(); }
    [[nodiscard]] result<void> resume(std::vector<call_ruling> rulings);
    [[nodiscard]] result<void> resume(std::uint64_t call, capability_reply reply);
    [[nodiscard]] json snapshot();
    /// Blocks until an input arrives or a deadline passes, at most for `span`. Runs the loop of `claim` meanwhile if it may. May return
    /// earlier.
    void sleep(duration span, loop_claim& claim);
    /// Returns the loop of the provider, or null.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const { return policies_->loop(); }
    [[nodiscard]] instant now() const noexcept { return policies_->now(); }

private:
    /// The maximum number of inputs that are fed after a deadline has passed.
    static constexpr int most_late = 64;
    /// In bytes: a longer reply is cut before hooks or the caller of a nested call get it, unless `limits::max_reply_bytes` is larger.
    static constexpr std::size_t longest_reply_to_hooks = std::size_t{256} << 10;

    class active;
    using opinions = std::vector<input::opinions::opinion>;

    void feed(machine_input&& in);
    void deliver(const event& happened);
    void take(mailbox::item&& item);
    void check_deadline(instant before);
    /// Starts the current action of the machine.
    progress perform();

    // `began` and `feed` may invalidate the argument: each function reads it first.
    void start(const action::list_capabilities& action);
    void start(const action::call_model& action);
    void start(const action::ask_approval& action);
    void start(const action::invoke_capability& requested);
    void start(const action::review_reply& action);
    void start(const action::reply_to_caller& action);
    void start(const action::collect_notes& action);

    template <class Decide>
    [[nodiscard]] opinions opinions_of(std::span<const proposed_call> batch, std::string_view who, Decide decide);
    [[nodiscard]] nested_caller others(std::uint64_t parent, int depth) const;
    [[nodiscard]] cancel_source open_work(std::uint64_t call = 0);
    [[nodiscard]] result<capability_list> declared();
    [[nodiscard]] static result<capability_list> refuse_max_cost();
    [[nodiscard]] bool takes_answer_schema();
    void relist();
    void review(capability_call call, capability_reply reply);
    [[nodiscard]] result<void> check_recording() const;

    // First, in one cache line: an idle `pump` reads only these two.
    instant resting_until_ = instant::min();  ///< `pump` has nothing to do before, unless an item arrives
    std::shared_ptr<mailbox> mailbox_ = std::make_shared<mailbox>();
    std::shared_ptr<run_policies> policies_;
    run_log log_;
    run_machine machine_;
    hook_desk hooks_;
    any_approval_policy approval_;
    on observers_;
    cancel_source work_{std::nostopstate};
    std::optional<bool> takes_answer_schema_ = {};  ///< what the provider says about the schema of this run
    bool pumping_ = false;
    bool abandoned_ = false;
    bool recording_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
