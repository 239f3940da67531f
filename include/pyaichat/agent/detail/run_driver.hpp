#pragma once
#include <pyaichat/agent/detail/mailbox.hpp>
#include <pyaichat/agent/on.hpp>
#include <pyaichat/agent/run.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <cstdint>
#include <memory>

namespace pyaichat::inline v0::detail {

/// Carries out what a run_machine wants. The policies are behind the virtual functions, so that this is compiled once.
class run_driver : public std::enable_shared_from_this<run_driver> {
public:
    run_driver(run_setup setup, instant now, on observers);
    run_driver(const run_driver&) = delete;
    run_driver& operator=(const run_driver&) = delete;
    virtual ~run_driver();

    progress pump(duration budget);
    void cancel() { mailbox_->cancel(); }
    /// The handle is gone: nothing is delivered any more, what is in flight is tripped.
    void abandon();
    [[nodiscard]] bool done() const noexcept { return machine_.finished(); }
    [[nodiscard]] const answer& reply();
    /// Sleeps until there may be something to pump, at most for `span` of a clock in real time.
    void sleep(duration span);
    [[nodiscard]] virtual instant now() const noexcept = 0;

protected:
    [[nodiscard]] virtual result<declarations> declared() = 0;
    virtual void invoke(const capability_call& call, capability_responder responder) = 0;
    virtual void call_model(const action::call_model& wanted, cancel_source stop) = 0;
    [[nodiscard]] const std::shared_ptr<mailbox>& inbox() const noexcept { return mailbox_; }

private:
    [[nodiscard]] progress perform();
    void start(const action::invoke_capability& wanted);
    [[nodiscard]] cancel_source open_work();
    void close_work(const machine_action& wanted);
    void check_deadline(instant before);

    run_machine machine_;
    std::shared_ptr<mailbox> mailbox_ = std::make_shared<mailbox>();
    on observers_;
    std::uint64_t attempt_ = 0;  ///< the last one that was started
    std::uint64_t call_ = 0;     ///< the last one that was started
    cancel_source work_{std::nostopstate};
    bool pumping_ = false;
    bool abandoned_ = false;
};

}  // namespace pyaichat::inline v0::detail
