#pragma once
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/agent/options.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

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

/// What can be told to a machine. One that is for an attempt or a call that is no longer open is ignored, and counted.
namespace input {

/// What the sources declare now, or why it cannot be used; the answer to `action::list_capabilities`.
struct declarations {
    result<pyaichat::capability_list> offered = pyaichat::capability_list();
};
struct model_delta {
    std::uint64_t attempt = 0;
    enum class kind : unsigned char { text, thought, restart } what = kind::text;
    std::string text = {};
};
struct model_result {
    std::uint64_t attempt = 0;
    result<model_response> outcome = failure{};
};
/// What those who were asked by `action::ask_approval` say. Of several opinions about one call the strictest is followed; a call without
/// any is left to its provenance and effects.
struct opinions {
    struct opinion {
        std::uint64_t call = 0;
        call_decision decision = {};
        bool grants = true;  ///< false: may only restrict, as a hook
    };
    std::vector<opinion> all = {};
};
/// What a person has decided about pending calls, some or all of them.
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
struct call_reply {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
/// The call that is running wants another one made, and what those said who were asked about it. Also the intent of that call: when the
/// machine orders it, it has begun.
struct nested_call {
    std::uint64_t parent = 0;  ///< the call that is running
    std::uint64_t ticket = 0;  ///< of the driver's choice
    int depth = 1;             ///< 2 = wanted by a call that is nested itself
    std::string name = {};
    json arguments = json::object();
    std::vector<opinions::opinion> said = {};
};
struct nested_reply {
    std::uint64_t call = 0;
    capability_reply reply = {};
};
struct cancel {};
/// Time has passed: deadlines and delays that are over take effect.
struct woken {};

}  // namespace input

using machine_input =
    std::variant<input::declarations, input::model_delta, input::model_result, input::opinions, input::decisions, input::invoking,
                 input::call_output, input::call_reply, input::nested_call, input::nested_reply, input::cancel, input::woken>;

/// What a machine wants done.
namespace action {

struct list_capabilities {};
struct call_model {
    std::uint64_t attempt = 0;  ///< from 1, in the run
    model_request request = {};
    instant deadline = {};
};
/// Ask everybody who has a say about the calls of `run_machine::proposed`; none of them runs before.
struct ask_approval {};
/// A person has to decide; no time limit runs meanwhile.
struct await_approval {
    std::vector<pending_call> calls = {};
    pyaichat::answer answer = {};  ///< the state of the run as an answer, with the reason `awaiting_approval`
};
/// Run the call that `run_machine::invocation` gives.
struct invoke_capability {
    std::uint64_t call = 0;  ///< its number
    instant deadline = {};
};
struct wait {
    instant until = {};
};
struct finished {
    pyaichat::answer answer = {};
};

}  // namespace action

using machine_action = std::variant<action::list_capabilities, action::call_model, action::ask_approval, action::await_approval,
                                    action::invoke_capability, action::wait, action::finished>;

/// What becomes of a nested call: a reply without having been run, or the call to run.
struct nested_order {
    std::uint64_t ticket = 0;
    std::optional<capability_reply> refused = {};
    capability_call call = {};
};

/// The agent loop as decisions without effects: no I/O, no threads, no clock. One run, one thread.
///
/// `next` says what has to be done, and says the same until something is fed; a driver does it, and feeds what came of it. Everything that
/// the loop promises (limits, replies, texts, the order of events) is decided here and nowhere else.
class run_machine {
public:
    run_machine(run_setup setup, instant now);
    run_machine(run_machine&&) noexcept;
    run_machine& operator=(run_machine&&) noexcept;
    ~run_machine();

    /// What to do now. If the deadline of what was asked for has passed, `woken` is fed first. Valid until the next call of a member.
    [[nodiscard]] const machine_action& next(instant now);

    void feed(machine_input in, instant now);

    /// The next event that was not taken yet, or null. Valid until the next call of a member.
    [[nodiscard]] const event* take_event() noexcept;
    [[nodiscard]] bool has_events() const noexcept;

    /// The next nested call that was decided about, beside the current action.
    [[nodiscard]] std::optional<nested_order> take_nested();

    /// The calls that `action::ask_approval` is about, in their order.
    [[nodiscard]] std::vector<proposed_call> proposed() const;

    /// The call that `action::invoke_capability` orders. Its token is never tripped, and it cannot make others: that is for a driver to
    /// fill in.
    [[nodiscard]] capability_call invocation() const;

    /// What the model was last told of.
    [[nodiscard]] const capability_list& declared() const noexcept;

    /// Whether the run has ended; `next` then gives the answer.
    [[nodiscard]] bool finished() const noexcept;

    /// The answer of a run that has ended, which `next` no longer gives then.
    [[nodiscard]] answer take_answer();

    [[nodiscard]] const std::string& question() const noexcept;

    /// When the current action has to have had its effect; `instant::max()` when the machine waits for nothing.
    [[nodiscard]] instant deadline() const noexcept;

    /// Whether these decisions can be fed now: each is about a pending call, and arguments that are given with one fit. Fails with
    /// `invalid_state` or `invalid_argument`; feeding such a one leaves its call pending.
    [[nodiscard]] result<void> check(const input::decisions& made) const;

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
