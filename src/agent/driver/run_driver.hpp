#pragma once
#include "agent/driver/hook_desk.hpp"
#include "agent/driver/mailbox.hpp"
#include "agent/storage/run_log.hpp"

#include <pyaichat/agent/detail/run_policies.hpp>
#include <pyaichat/agent/run.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Carries out what a run_machine decides, over the policies of an agent. It holds threads, queues and lifetimes; it decides nothing.
class run_driver : public std::enable_shared_from_this<run_driver> {
public:
    run_driver(std::shared_ptr<run_policies> policies, run_machine machine, run_log log, on observers);
    run_driver(const run_driver&) = delete;
    run_driver& operator=(const run_driver&) = delete;

    progress pump(duration budget);
    void cancel() { mailbox_->cancel(); }
    /// The handle is gone: nothing is delivered any more, and the work in flight is stopped.
    void abandon();
    [[nodiscard]] bool done() const noexcept { return machine_.finished(); }
    /// The answer of a run that has ended, or the state of one that awaits approval; null otherwise.
    [[nodiscard]] const answer* reply() const noexcept { return machine_.reply(); }
    /// Moves the answer out of a run that has ended.
    [[nodiscard]] answer take_reply() { return machine_.take_answer(); }
    /// Whether a callback of this run is on the stack.
    [[nodiscard]] bool is_inside() const noexcept { return pumping_; }
    [[nodiscard]] std::vector<pending_call> pending() const { return machine_.pending(); }
    [[nodiscard]] result<void> resume(std::vector<call_ruling> rulings);
    [[nodiscard]] json snapshot();
    /// Sleeps until there may be something to pump, at most for `span` of a clock in real time.
    void sleep(duration span);
    [[nodiscard]] instant now() const noexcept { return policies_->now(); }

private:
    /// How many inputs are still taken after a deadline has passed.
    static constexpr int most_late = 64;

    class active;
    using opinions = std::vector<input::opinions::opinion>;

    void feed(machine_input in);
    void deliver(const event& happened);
    void take(mailbox::item item);
    void check_deadline(instant before);
    /// Starts what the machine wants now.
    progress perform();

    // Each reads its action before it calls `began`, and changes nothing of the machine while it still reads.
    void start(const action::list_capabilities& wanted);
    void start(const action::call_model& wanted);
    void start(const action::ask_approval& wanted);
    void start(const action::invoke_capability& wanted);
    void start(const action::review_reply& wanted);
    void start(const action::reply_to_caller& wanted);
    void start(const action::collect_notes& wanted);

    template <class Decide>
    [[nodiscard]] opinions opinions_of(std::span<const proposed_call> batch, const std::string& who, Decide decide);
    [[nodiscard]] nested_caller others(std::uint64_t parent, int depth) const;
    [[nodiscard]] cancel_source open_work();
    [[nodiscard]] result<capability_list> declared();

    // First, beside each other: all that is looked at in a frame in which nothing happens.
    instant resting_until_ = instant::min();  ///< nothing is to be done before, unless something arrives
    std::shared_ptr<mailbox> mailbox_ = std::make_shared<mailbox>();
    std::shared_ptr<run_policies> policies_;
    run_log log_;
    run_machine machine_;
    hook_desk hooks_;
    any_approval_policy approval_;
    on observers_;
    cancel_source work_{std::nostopstate};
    bool pumping_ = false;
    bool abandoned_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
