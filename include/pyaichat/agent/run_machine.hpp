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

/// What a run starts from. The same set-up and the same inputs give the same run, to the byte.
struct run_setup {
    std::string run_id = {};
    std::string instructions = {};
    conversation history = {};
    std::string context = {};  ///< what the host knows beside the question; put before it
    std::string question = {};
    pyaichat::limits limits = {};
    std::uint64_t seed = 0;  ///< of the jitter in retry delays
    tool_mode mode = tool_mode::automatic;
};

/// What a driver tells the machine. An input for an attempt or a call that is no longer open is ignored and counted.
namespace input {

/// Answers `action::list_capabilities`: what the sources declare now, or why that cannot be used. While a call is about to be invoked: that
/// they declare something else than when the call was decided.
struct declarations {
    result<pyaichat::capability_list> offered = pyaichat::capability_list();
};
struct model_delta {
    std::uint64_t attempt = 0;
    using kind = delta_sink::kind;
    kind what = kind::text;
    std::string text = {};
};
struct model_result {
    std::uint64_t attempt = 0;
    result<model_response> outcome = failure{};
};
/// Answers `action::ask_approval`: what every approval policy and hook decided. A call without a decision is left to its provenance and
/// effects.
struct opinions {
    struct opinion {
        std::uint64_t call = 0;
        call_decision decision = {};
        bool grants = true;  ///< false: may only restrict, as a hook does
    };
    std::uint64_t nested = 0;  ///< the ticket of the nested call that was asked about; 0 = the calls of the model
    std::vector<opinion> all = {};
};
/// What a person decided about pending calls, some or all of them; also while an earlier call of the same response runs.
struct decisions {
    std::vector<call_ruling> rulings = {};
};
/// The intent: the call of `action::invoke_capability` is about to be invoked. From here on it counts as begun, also after a restore.
struct invoking {
    std::uint64_t call = 0;
};
struct call_output {
    std::uint64_t call = 0;
    std::string text = {};
};
/// The reply of a capability, before hooks have seen it. With hooks the machine asks for a review and forgets this reply in snapshots.
struct call_returned {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
/// The reply that counts; the answer to `action::review_reply`.
struct call_reply {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
/// A running call asks for another call.
struct nested_call {
    std::uint64_t parent = 0;  ///< the model's call that is running
    std::uint64_t ticket = 0;  ///< chosen by the driver, for `action::reply_to_caller`
    int depth = 1;             ///< 2 = asked for by a nested call
    std::string name = {};
    json arguments = json::object();
};
/// Answers `action::collect_notes`: what hooks add below the answer.
struct notes {
    std::string text = {};
};
struct cancel {};
/// Time has passed: deadlines and delays that are over take effect.
struct woken {};

}  // namespace input

using machine_input = std::variant<input::declarations, input::model_delta, input::model_result, input::opinions, input::decisions,
                                   input::invoking, input::call_output, input::call_returned, input::call_reply, input::nested_call,
                                   input::notes, input::cancel, input::woken>;

/// What a machine wants done.
namespace action {

struct list_capabilities {};
struct call_model {
    std::uint64_t attempt = 0;  ///< from 1, in the run
    model_request request = {};
    instant deadline = {};
};
/// Ask every approval policy and hook about `run_machine::proposed(nested)`. None of these calls runs before.
struct ask_approval {
    std::uint64_t nested = 0;  ///< the ticket of a nested call; 0 = the calls of the model
};
/// A person has to decide; no time limit runs meanwhile.
struct await_approval {
    std::vector<pending_call> calls = {};
    pyaichat::answer answer = {};  ///< the state of the run as an answer, with the reason `awaiting_approval`
};
/// Feed `declarations` if they have changed; if the action stays the same then, feed `invoking` and run `run_machine::invocation(call)`.
struct invoke_capability {
    std::uint64_t call = 0;
    std::uint64_t root = 0;  ///< the model's call that it belongs to; for a call of the model itself, that call
    int depth = 0;           ///< 0 = a call of the model
    instant deadline = {};
    bool may_nest = true;  ///< whether it may ask for other calls
};
/// Show `run_machine::take_returned(call)` to the hooks. Only with hooks.
struct review_reply {
    std::uint64_t call = 0;
};
/// Give the reply of a nested call to the call that asked for it.
struct reply_to_caller {
    std::uint64_t ticket = 0;
    capability_reply reply = {};
};
/// Nothing is to be done before `until`, unless an input comes.
struct wait {
    instant until = {};
};
/// The run has ended; ask the hooks for notes. Only with hooks.
struct collect_notes {
    pyaichat::answer answer = {};
    instant deadline = {};
};
struct finished {
    pyaichat::answer answer = {};
};

}  // namespace action

using machine_action =
    std::variant<action::list_capabilities, action::call_model, action::ask_approval, action::await_approval, action::invoke_capability,
                 action::review_reply, action::reply_to_caller, action::wait, action::collect_notes, action::finished>;

/// The agent loop as decisions without effects: no I/O, no threads, no clock. One run, one thread.
///
/// `next` says what has to be done. A driver does it, and feeds what came of it. Everything that the loop promises (limits, approval,
/// replies, texts, the order of events) is decided here and nowhere else.
class run_machine {
public:
    run_machine(run_setup setup, instant now);
    run_machine(run_machine&&) noexcept;
    run_machine& operator=(run_machine&&) noexcept;
    ~run_machine();

    /// Tells the machine that the driver has hooks, so that it asks for `review_reply` and `collect_notes`. Before the first `next`.
    void use_hooks() noexcept;

    /// What to do now. The same until something is fed or `began` is called. If the deadline of the current action has passed, `woken` is
    /// fed first. Valid until the next call of a member that is not const; `began` keeps it valid.
    [[nodiscard]] const machine_action& next(instant now);

    /// The driver has started what `next` returned. From then on `next` returns what else is to be done, or `wait`.
    void began() noexcept;

    /// Whether the current action of the run itself (nested calls aside) has been started. The work for the previous one is obsolete when
    /// it has not.
    [[nodiscard]] bool has_begun() const noexcept;

    /// Whether `next` returns an action that comes before the events so far: about a reply, a nested call, or notes.
    [[nodiscard]] bool has_orders() const noexcept;

    /// Whether what `next` returns comes before every input that has arrived.
    [[nodiscard]] bool is_urgent() const noexcept;

    void feed(machine_input in, instant now);

    /// Ends the run at once, outside of its recorded inputs: it is continued elsewhere.
    void stop(failure why, instant now);

    /// Whether an input belongs in the journal. What hooks have not seen yet, and notes, do not; nor does anything after the end.
    [[nodiscard]] bool is_recorded(const machine_input& in) const noexcept;

    /// The next event that was not taken yet, or null. None while notes are collected. Valid until the next call of a member.
    [[nodiscard]] const event* take_event() noexcept;
    [[nodiscard]] bool has_events() const noexcept;

    /// The calls that `action::ask_approval` is about, in their order.
    [[nodiscard]] std::vector<proposed_call> proposed(std::uint64_t nested = 0) const;

    /// The call that `action::invoke_capability` orders, or that has replied. The driver adds the token and `others`.
    [[nodiscard]] capability_call invocation(std::uint64_t call) const;

    /// The reply that `action::review_reply` is about; once.
    [[nodiscard]] capability_reply take_returned(std::uint64_t call);

    /// Whether the run has ended and `next` gives the answer.
    [[nodiscard]] bool finished() const noexcept;

    /// The answer of a run that has finished, or the state of one that awaits approval; null otherwise.
    [[nodiscard]] const answer* reply() const noexcept;

    /// Moves the answer out of a run that has finished; `next` no longer gives it then.
    [[nodiscard]] answer take_answer();

    [[nodiscard]] const std::string& question() const noexcept;
    [[nodiscard]] std::size_t max_reply_bytes() const noexcept;

    /// When the current action has to have had its effect; `instant::max()` when the machine waits for nothing.
    [[nodiscard]] instant deadline() const noexcept;

    /// The calls that wait for a person's decision.
    [[nodiscard]] std::vector<pending_call> pending() const;
    /// Whether there is one.
    [[nodiscard]] bool is_pending() const noexcept;

    /// Whether these decisions can be fed. Fails with `invalid_state` for a call that is not pending, and with `invalid_argument` for
    /// arguments that do not fit and for two decisions about one call.
    [[nodiscard]] result<void> check(const input::decisions& made) const;

    /// What the sources declared when the calls at hand were gated.
    [[nodiscard]] const capability_list& declared() const noexcept;

    /// The whole run as JSON, to go on with elsewhere and later: nothing secret but what the messages hold, times as what remains of them.
    /// Events that were taken are not in it, only their number is; take all before.
    [[nodiscard]] json snapshot(instant now) const;

    /// Goes on where a snapshot was taken. What was under way then is done again, but for a call that was begun and must not be repeated
    /// (`effects::once`): its reply is `in_doubt`. Reads the snapshots of all earlier versions. Fails with `invalid_argument` for one of a
    /// later version, and `bad_response` for one that is damaged.
    [[nodiscard]] static result<run_machine> restore(const json& snapshot, instant now);

    /// Inputs that came for something no longer open.
    [[nodiscard]] std::uint64_t ignored_inputs() const noexcept;

private:
    struct state;
    explicit run_machine(std::unique_ptr<state> restored) noexcept;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
