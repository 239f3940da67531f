#pragma once
#include <pyaichat/agent/detail/hook_desk.hpp>
#include <pyaichat/agent/detail/mailbox.hpp>
#include <pyaichat/agent/detail/nested_desk.hpp>
#include <pyaichat/agent/detail/run_log.hpp>
#include <pyaichat/agent/on.hpp>
#include <pyaichat/agent/options.hpp>
#include <pyaichat/agent/recover.hpp>
#include <pyaichat/agent/run.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Carries out what a run_machine wants. The policies are behind the virtual functions, so that this is compiled once.
class run_driver : public std::enable_shared_from_this<run_driver> {
public:
    run_driver(run_setup setup, instant now, on observers, const agent_options& options);
    /// Goes on with a run that was rebuilt from its journal.
    run_driver(recovered_run from, instant now, on observers, const agent_options& options);
    /// Goes on with a run from a snapshot of it.
    run_driver(run_machine restored, on observers, const agent_options& options);
    run_driver(const run_driver&) = delete;
    run_driver& operator=(const run_driver&) = delete;
    virtual ~run_driver();

    progress pump(duration budget);
    void cancel() { mailbox_->cancel(); }
    /// The handle is gone: nothing is delivered any more, what is in flight is tripped.
    void abandon();
    [[nodiscard]] bool done() const noexcept { return machine_.finished() && !noting_until_; }
    [[nodiscard]] const answer& reply();
    /// The same, for whoever drops the run then: moved out of it when it has ended.
    [[nodiscard]] answer take_reply();
    [[nodiscard]] std::vector<pending_call> pending();
    [[nodiscard]] result<void> resume(std::vector<call_ruling> rulings);
    [[nodiscard]] json snapshot();
    /// Sleeps until there may be something to pump, at most for `span` of a clock in real time.
    void sleep(duration span);
    [[nodiscard]] virtual instant now() const noexcept = 0;

protected:
    [[nodiscard]] virtual result<capability_list> declared() = 0;
    /// Whether the sources themselves have to be asked.
    [[nodiscard]] virtual bool has_say() const = 0;
    /// What the sources themselves say to these calls; nothing when they have no say.
    [[nodiscard]] virtual std::optional<std::vector<call_decision>> review(std::span<const proposed_call> batch) = 0;
    virtual void invoke(const capability_call& call, capability_responder responder) = 0;
    virtual void call_model(const action::call_model& wanted, cancel_source stop) = 0;
    [[nodiscard]] const std::shared_ptr<mailbox>& inbox() const noexcept { return mailbox_; }

private:
    /// How many inputs are still taken after a deadline has passed.
    static constexpr int most_late = 64;

    class active;
    [[nodiscard]] const machine_action& wanted();
    void feed(machine_input in);
    void deliver(const event& happened);
    [[nodiscard]] progress perform();
    void list_capabilities();
    void start(const action::call_model& wanted);
    void start(const action::invoke_capability& wanted);
    /// The reply to a call that cannot be made, as it could not be recorded.
    [[nodiscard]] static capability_reply unrecorded();
    /// Makes a call; its reply comes as the input that `replied` makes of it.
    void make_call(const capability_call& call, std::function<machine_input(capability_reply)> replied,
                   capability_responder::output_receiver show = {});
    void ask();
    void gather(const std::vector<proposed_call>& batch, unique_function<void(std::vector<input::opinions::opinion>)> then);
    [[nodiscard]] nested_caller others(std::uint64_t parent, int depth);
    void take(mailbox::item one);
    void take_input(machine_input in);
    void on_call_reply(input::call_reply came);
    void on_nested_reply(input::nested_reply came);
    void on_nested_call(input::nested_call wanted);
    void run(nested_order order, std::uint64_t parent, int depth);
    void ask_for_notes();
    [[nodiscard]] progress await_notes(instant now);
    void add_notes(const std::string& notes);
    [[nodiscard]] bool is_ruled(std::uint64_t call) const;
    [[nodiscard]] cancel_source open_work();
    void close_work();
    void check_deadline(instant before);

    // First, beside each other: all that is looked at in a frame in which nothing happens.
    instant resting_until_ = instant::min();  ///< nothing is to be done before, unless something comes
    std::shared_ptr<mailbox> mailbox_ = std::make_shared<mailbox>();
    run_log log_;
    run_machine machine_;
    any_approval_policy approval_;
    hook_desk hooks_;
    std::shared_ptr<nested_desk> desk_ = std::make_shared<nested_desk>();
    struct nested_running {
        std::uint64_t ticket = 0;
        capability_call call = {};
        bool answered = false;  ///< the hooks have its reply
    };
    std::map<std::uint64_t, nested_running> nested_ = {};
    on observers_;
    std::optional<answer> noted_ = {};  ///< the answer with what hooks have added
    bool answered_ = false;
    std::uint64_t attempt_ = 0;                 ///< the last one that was started
    capability_call call_ = {};                 ///< the last one that was started
    std::uint64_t gathered_ = 0;                ///< rounds of opinions, so far
    std::uint64_t asking_ = 0;                  ///< the round that the machine waits for; 0 = it does not
    std::uint64_t redacting_ = 0;               ///< the last call whose reply was given to the hooks
    std::optional<instant> noting_until_ = {};  ///< the machine has finished, and notes are awaited
    cancel_source work_{std::nostopstate};
    bool pumping_ = false;
    bool abandoned_ = false;
    std::vector<std::uint64_t> ruled_ = {};  ///< calls about which `resume` has decided, and which were not pumped since
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
