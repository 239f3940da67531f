#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/agent/options.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The start of a run. The same setup and the same inputs, at the same times, give the same run, byte for byte.
struct run_setup {
    std::string run_id = {};
    std::string instructions = {};
    conversation history = {};
    std::string context = {};  ///< additional text for the model, placed before the question
    std::string question = {};
    pyaichat::limits limits = {};
    std::uint64_t seed = 0;  ///< for the jitter in retry delays
    tool_mode mode = tool_mode::automatic;
    std::vector<image> images = {};  ///< pictures that belong to the question
    json answer_schema = {};         ///< of the answer; null = a text
};

/// The inputs of the machine, which a driver feeds. An input for an attempt or a call that is no longer open is ignored and counted.
namespace input {

/// The current declarations of the sources, for `action::list_capabilities`. A failure ends the run with `misconfigured`. If they have
/// changed, also fed before `action::ask_approval` and `action::invoke_capability`: a call of a changed capability is then denied.
struct declarations {
    result<pyaichat::capability_list> offered = pyaichat::capability_list();
    bool takes_answer_schema = false;  ///< whether the provider takes `run_setup::answer_schema`; if not, the model gives it by a function
};
/// A streamed piece of the response to an attempt. `restart` withdraws the earlier pieces.
struct model_delta {
    std::uint64_t attempt = 0;
    using kind = delta_sink::kind;
    kind what = kind::text;
    std::string text = {};
};
/// The outcome of an attempt, for `action::call_model`. The machine decides about retries.
struct model_result {
    std::uint64_t attempt = 0;
    result<model_response> outcome = failure{};
};
/// The decisions of all policies and hooks, for `action::ask_approval`. Without a decision, provenance and effects of the capability
/// decide.
struct opinions {
    struct opinion {
        std::uint64_t call = 0;
        call_decision decision = {};
        bool grants = true;  ///< false: `allow` has no effect, as for a hook
    };
    std::uint64_t nested = 0;  ///< the ticket of the nested call; 0 = the calls of the model
    std::vector<opinion> all = {};
};
/// The decisions of a person about some or all pending calls. May be fed while an earlier call of the same response runs.
struct decisions {
    std::vector<call_ruling> rulings = {};
};
/// The driver is about to invoke this call (write-ahead intent). After a restore, the call may have had its effect.
struct invoking {
    std::uint64_t call = 0;
};
/// Output of a running call, for the event `call_output`.
struct call_output {
    std::uint64_t call = 0;
    std::string text = {};
};
/// The reply of a capability, or the reply to a suspended call. With hooks, the machine requests `action::review_reply`, and snapshots do
/// not contain this reply. The code `suspended` pauses the run until there is another reply.
struct call_returned {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
/// The final reply, after `action::review_reply`.
struct call_reply {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
/// A running call requests another call. The machine replies by `action::reply_to_caller`, also if the parent has ended.
struct nested_call {
    std::uint64_t parent = 0;  ///< the model's call that is running
    std::uint64_t ticket = 0;  ///< chosen by the driver, for `action::reply_to_caller`
    int depth = 1;             ///< 2 = requested by a nested call
    std::string name = {};
    json arguments = json::object();
};
/// The text that hooks append to the answer, for `action::collect_notes`.
struct notes {
    std::string text = {};
};
/// Ends the run with the reason `cancelled`.
struct cancel {};
/// Applies the deadlines and delays that have passed.
struct woken {};

}  // namespace input

using machine_input = std::variant<input::declarations, input::model_delta, input::model_result, input::opinions, input::decisions,
                                   input::invoking, input::call_output, input::call_returned, input::call_reply, input::nested_call,
                                   input::notes, input::cancel, input::woken>;

/// The actions that the machine requests from its driver.
namespace action {

/// Ask the sources for their declarations; feed `input::declarations`.
struct list_capabilities {};
/// Start an attempt; feed its deltas and one `input::model_result`. After `deadline`, the machine ignores both.
struct call_model {
    std::uint64_t attempt = 0;  ///< counts the attempts of the run, from 1
    model_request request = {};
    instant deadline = {};
};
/// Ask every approval policy and hook about `run_machine::proposed(nested)`; feed `input::opinions`. Until then, none of these calls runs.
/// If the declarations have changed, feed them first; if `next` still returns this action, ask.
struct ask_approval {
    std::uint64_t nested = 0;  ///< the ticket of a nested call; 0 = the calls of the model
};
/// Ask a person about these calls and feed `input::decisions`; feed the replies to suspended calls as `input::call_returned`,
/// or, with hooks, what the hooks have made of them as `input::call_reply`. Only
/// `limits::approval_timeout` runs meanwhile.
struct await_approval {
    std::vector<pending_call> calls = {};
    pyaichat::answer answer = {};  ///< the state of the run as an answer, with the reason `awaiting_approval`
};
/// Invoke a capability. If the declarations have changed, feed them first. If `next` still returns this action, feed `input::invoking`,
/// invoke `run_machine::invocation(call)`, and feed its output and one `input::call_returned`.
struct invoke_capability {
    std::uint64_t call = 0;
    int depth = 0;  ///< 0 = a call of the model
    instant deadline = {};
    bool may_nest = true;    ///< whether it may make nested calls
    bool is_beside = false;  ///< beside another call of the model, with whose cancel token it runs
};
/// Pass `run_machine::take_returned(call)` to the hooks; feed the result as `input::call_reply`. Only with hooks.
struct review_reply {
    std::uint64_t call = 0;
};
/// Pass the reply of a nested call to the call that requested it. Nothing is fed.
struct reply_to_caller {
    std::uint64_t ticket = 0;
    capability_reply reply = {};
};
/// Wait until `until`, or until an input arrives.
struct wait {
    instant until = {};
};
/// Ask the hooks for notes about the answer, because the run has ended; feed `input::notes`. Only with hooks.
struct collect_notes {
    pyaichat::answer answer = {};
    instant deadline = {};
};
/// The run has ended. The last action.
struct finished {
    pyaichat::answer answer = {};
};

}  // namespace action

using machine_action =
    std::variant<action::list_capabilities, action::call_model, action::ask_approval, action::await_approval, action::invoke_capability,
                 action::review_reply, action::reply_to_caller, action::wait, action::collect_notes, action::finished>;

/// The agent loop of one run as a state machine without I/O, threads or a clock. Deterministic. Not thread-safe.
///
/// A driver repeats three steps: it gets an action from `next`, starts the action and calls `began`, and feeds the outcome by `feed`. The
/// machine alone decides about limits, approval, replies, texts and the order of events. Each `now` is a time on the run's clock.
class run_machine {
public:
    /// Starts a run. If the limits or the schema of the answer are invalid, the question is blank, or one of its images is invalid, the run
    /// ends at once with the reason `misconfigured`.
    run_machine(run_setup setup, instant now);
    run_machine(run_machine&&) noexcept;
    run_machine& operator=(run_machine&&) noexcept;
    ~run_machine();
    /// Makes the machine request `review_reply` and `collect_notes`. If the driver has hooks, call this before the first `next`.
    void use_hooks() noexcept;

    /// Returns the action to start now; the same one until `feed` or `began` is called. If `deadline()` has passed, feeds `input::woken`
    /// first, unrecorded. To record it, pass `instant::min()` and feed `woken` yourself. The reference is valid until the next call of a
    /// non-const member other than `began`.
    [[nodiscard]] const machine_action& next(instant now);
    /// Marks the action that `next` returned as started. After that, `next` returns another action, or `wait` if there is none.
    void began() noexcept;
    /// Returns whether the main action (nested calls aside) was started. If not, the work for the previous one is obsolete.
    [[nodiscard]] bool has_begun() const noexcept;
    /// Returns whether to start the action of `next` before `take_event`. True for actions about a reply, a nested call or notes.
    [[nodiscard]] bool has_orders() const noexcept;
    /// Returns whether to start the action of `next` before feeding inputs that have arrived.
    [[nodiscard]] bool is_urgent() const noexcept;
    /// Applies an input and decides how the run continues. An input that is not expected changes nothing but `ignored_inputs`.
    void feed(machine_input in, instant now);
    /// Ends the run with the reason `cancelled` and the error `why`, because another owner continues it. Not recorded in the journal.
    void stop(failure why, instant now);

    /// Returns whether to record `in` in the journal, before it is fed. False for inputs that are not expected, for notes, after the end,
    /// and with hooks for `call_returned` (the reviewed `call_reply` is recorded).
    [[nodiscard]] bool is_recorded(const machine_input& in) const noexcept;
    /// Takes the next event. Null if there is none, or while notes are collected. Valid until the next call of a non-const member.
    [[nodiscard]] const event* take_event() noexcept;
    /// Returns whether `take_event` would return an event.
    [[nodiscard]] bool has_events() const noexcept;
    /// Returns the calls for `action::ask_approval`, in order. `nested` is its member of the same name.
    [[nodiscard]] std::vector<proposed_call> proposed(std::uint64_t nested = 0) const;
    /// Returns the call with this number, which must be running. The driver adds `cancel` and `others`.
    [[nodiscard]] capability_call invocation(std::uint64_t call) const;
    /// Moves out the reply for `action::review_reply`. Call it once for each such action, before `input::call_reply` is fed.
    [[nodiscard]] capability_reply take_returned(std::uint64_t call);
    /// Returns whether the run has ended and its notes were collected: `next` returns `action::finished`.
    [[nodiscard]] bool finished() const noexcept;
    /// Returns the answer of a finished run, or the state of a run that awaits approval, else null.
    [[nodiscard]] const answer* reply() const noexcept;
    /// Moves the answer out of a finished run. After that, the answer in `action::finished` is empty.
    [[nodiscard]] answer take_answer();
    /// Returns the question and limits of the setup. With `limits::max_cost`, the driver checks that the provider tells its cost, each time
    /// before it feeds `input::declarations`.
    [[nodiscard]] const std::string& question() const noexcept;
    [[nodiscard]] std::size_t max_reply_bytes() const noexcept;
    [[nodiscard]] const pyaichat::limits& bounds() const noexcept;
    /// Returns the schema of the answer; null = a text.
    [[nodiscard]] const json& answer_schema() const noexcept;
    /// Returns when `input::woken` must be fed if nothing else happens; `instant::max()` if never.
    [[nodiscard]] instant deadline() const noexcept;
    /// Returns the calls that wait for the decision of a person, or for a reply from outside.
    [[nodiscard]] std::vector<pending_call> pending() const;
    /// Returns whether `pending()` is not empty.
    [[nodiscard]] bool is_pending() const noexcept;

    /// Checks decisions before they are fed. Fails with `invalid_state` for a call that is not pending, and with `invalid_argument` for
    /// arguments that do not fit the declaration or for two decisions about one call.
    [[nodiscard]] result<void> check(const input::decisions& decided) const;
    /// Checks the reply to a suspended call before it is fed. Fails with `invalid_state` if the call is not suspended, or if the
    /// declarations are not known yet, after a restore.
    [[nodiscard]] result<void> check(const input::call_returned& reply) const;
    /// Returns the declarations of the current step, against which its calls were validated.
    [[nodiscard]] const capability_list& declared() const noexcept;

    /// Encodes the run as JSON, for `restore`. Take all events first: the snapshot contains only their number. Deadlines are stored as the
    /// time that is left. It is as confidential as the messages; a provider's key is not in it.
    [[nodiscard]] json snapshot(instant now) const;

    /// Continues a run from a snapshot of this or an earlier version. An interrupted model call or capability call is made again, but an
    /// invoked call that must not be repeated (`effects::once`) gets the reply `in_doubt`. Fails with `invalid_argument` for a snapshot of
    /// a later version, and with `bad_response` for a damaged one.
    [[nodiscard]] static result<run_machine> restore(const json& snapshot, instant now);
    /// Returns the number of inputs that were ignored, because they came too late or were not valid.
    [[nodiscard]] std::uint64_t ignored_inputs() const noexcept;

private:
    struct state;
    explicit run_machine(std::unique_ptr<state> restored) noexcept;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
