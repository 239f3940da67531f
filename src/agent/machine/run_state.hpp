#pragma once
#include "agent/machine/findings.hpp"
#include "agent/machine/judge_response.hpp"
#include "agent/machine/repeat_guard.hpp"

#include <pyaichat/agent/run_machine.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// A lateness worth telling a person; also how far the clock of a transport may be ahead of the run's.
inline constexpr duration noticeable = std::chrono::milliseconds(100);

/// One proposed call on its way through the gate, its run and its reply.
struct open_call {
    enum class stage : unsigned char {
        gated,    ///< may be run, as far as the machine itself knows: those who restrict have to be asked
        pending,  ///< a person has to decide
        allowed,
        started,   ///< is to be invoked
        invoked,   ///< the intent was fed: it may have had its effect
        returned,  ///< hooks are looking at its reply
    };
    std::shared_ptr<const call_part> proposed = {};  ///< as it stands in the model's message, or with the arguments that it is run with
    std::uint64_t number = 0;
    stage at = stage::gated;
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};
    std::optional<duration> timeout = {};
    std::string headline = {};
    std::string reason = {};                        ///< why a person is asked
    int rounds = 0;                                 ///< how often its arguments were changed and shown again
    bool by_person = false;                         ///< a person has changed the arguments: only who restricts is asked now
    std::optional<call_decision> decided = {};      ///< by a person, while the declarations were not known
    std::optional<capability_reply> returned = {};  ///< the reply that hooks have not seen
    std::optional<capability_reply> reply = {};     ///< the reply that counts
    instant started_at = {};
    instant begun_at = {};  ///< in this process
    instant deadline = instant::max();
    // Of a nested call only.
    std::uint64_t ticket = 0;
    int depth = 0;  ///< 0 = a call of the model

    [[nodiscard]] proposed_call proposal() const;
    /// Waits for a person's decision.
    [[nodiscard]] bool is_pending() const noexcept { return !reply && at == stage::pending && !decided; }
    void change(json arguments);
};

[[nodiscard]] std::string_view to_string(open_call::stage value) noexcept;

/// The reply to a call of a capability that is not any more what it was when the call was decided.
[[nodiscard]] capability_reply changed_since(const std::string& name);

/// One message with all replies, in the order of the calls.
[[nodiscard]] message replies_to(std::vector<open_call> calls);

}  // namespace detail

/// Everything that a run is, between two decisions. Its members are defined by what they decide: run_machine.cpp (inputs, actions, time),
/// run_steps.cpp (model calls and their responses), run_gate.cpp (which calls may run), run_calls.cpp (running them), run_end.cpp,
/// run_snapshot.cpp and run_restore.cpp.
struct run_machine::state {
    explicit state(run_setup from) : setup(std::move(from)), repeats(setup.limits.max_repeats) {}

    run_setup setup;
    conversation messages;
    pyaichat::capability_list declared;
    /// The action of the run itself. Which alternative it holds is the phase of the run.
    machine_action current = action::list_capabilities{};
    bool begun = false;  ///< the driver has started `current`
    /// Actions beside `current`: they concern the running call, its reply and the calls nested in it. Started in this order.
    std::vector<machine_action> beside;
    std::size_t beside_begun = 0;
    machine_action resting = action::wait{};  ///< what `next` gives when everything has begun
    /// The run was restored and the declarations are not known yet: what they were, by name. `current` goes on when they are.
    std::optional<std::map<std::string, std::string>> relisting;
    bool hooked = false;

    int steps = 0;
    int invalid_responses = 0;
    int calls_run = 0;
    int recoveries = 0;
    bool recovered = false;  ///< after a crash, and not continued yet
    bool calls_exceeded = false;
    token_usage usage;
    instant total_deadline;
    std::string commentary;
    detail::findings confirmed;
    detail::repeat_guard repeats;

    // of the model call at hand
    std::uint64_t attempt = 0;
    int retries = 0;
    bool text_shown = false;
    bool thoughts_shown = false;
    instant step_deadline;
    instant delayed_until;

    // of the calls at hand
    std::vector<detail::open_call> calls;
    std::size_t running = 0;
    std::uint64_t last_call_number = 0;
    instant call_started_at;  ///< of the last call of the model that was started
    instant paused_at;
    instant approval_deadline = instant::max();
    std::map<std::uint64_t, detail::open_call> undecided;  ///< nested calls that wait for approval, by ticket; at first without a number
    std::map<std::uint64_t, detail::open_call> nested;     ///< nested calls that have begun and have no reply yet, by number

    std::vector<event> events;
    std::uint64_t events_before = 0;  ///< in the run up to where it was restored
    std::size_t events_taken = 0;
    std::uint64_t ignored = 0;

    template <class Action>
    [[nodiscard]] bool is() const noexcept {
        return std::holds_alternative<Action>(current);
    }
    void become(machine_action next);
    [[nodiscard]] const machine_action& next();
    void emit(event_data data, instant now);
    [[nodiscard]] const answer* last_answer() const noexcept;
    [[nodiscard]] const std::vector<event>& happened() const noexcept;
    [[nodiscard]] instant deadline() const noexcept;

    // Inputs: whether each is expected now, and what it does then.
    [[nodiscard]] bool expects(const machine_input& in) const noexcept;
    [[nodiscard]] bool has_ended() const noexcept { return is<action::collect_notes>() || is<action::finished>(); }
    void on(input::declarations listed, instant now);
    void on(input::model_delta delta, instant now);
    void on(input::model_result returned, instant now);
    void on(input::opinions said, instant now);
    void on(input::decisions made, instant now);
    void on(input::invoking started, instant now);
    void on(input::call_output output, instant now);
    void on(input::call_returned returned, instant now);
    void on(input::call_reply replied, instant now);
    void on(input::nested_call wanted, instant now);
    void on(input::notes added, instant now);
    void on(input::cancel, instant now);
    void on(input::woken, instant now);

    void start(instant now);
    void begin_step(instant now);
    void refuse_setup(const failure& why, instant now);
    void start_attempt(instant now);
    void withdraw(const std::string& why, instant now);
    void on_failure(failure error, instant now);
    void on_response(model_response response, instant now);
    void show_whole(const message& content, instant now);
    void keep(message content);
    void on_invalid(const detail::verdict& judged, instant now);
    void on_calls(message content, const std::vector<argument_check>& checks, instant now);
    [[nodiscard]] std::optional<capability_reply> misfit(detail::open_call& one, const argument_check& check = {}) const;
    [[nodiscard]] std::optional<capability_reply> over_limit();
    void deny(detail::open_call& one, capability_reply reply, instant now);
    void apply(detail::open_call& one, const input::opinions& said, instant now);
    void apply(detail::open_call& one, call_decision made, instant now);
    [[nodiscard]] std::string change(detail::open_call& one, json arguments) const;
    [[nodiscard]] const detail::open_call* pending(std::uint64_t number) const noexcept;
    [[nodiscard]] result<void> check(const call_ruling& made) const;
    void go_on_after_approval(instant now);
    void expire_approval(instant now);
    void compare(const result<capability_list>& listed, instant now);
    void await_approval(instant now);

    /// The call of this number that has started and has no reply that counts, or null.
    [[nodiscard]] detail::open_call* running_call(std::uint64_t number) noexcept;
    [[nodiscard]] const detail::open_call* running_call(std::uint64_t number) const noexcept;
    void run_next_call(instant now);
    void begin(detail::open_call& one, instant now);
    void order(detail::open_call& one, instant now);
    void finish_call(detail::open_call& one, capability_reply reply, instant now);
    void refuse_nested(const input::nested_call& wanted);
    void decide_nested(detail::open_call one, input::opinions said, instant now);
    void deny_nested(detail::open_call& one, capability_reply reply, instant now);
    void close_nested(instant now);
    void time_out(instant now);
    void ended(detail::open_call& one, capability_reply reply, instant now);
    [[nodiscard]] capability_reply cut_off(const detail::open_call& one, reply_code code, const std::string& why) const;
    void close(detail::open_call& one, stop_reason reason, instant now);
    void reply_to_calls(instant now);

    void finish(stop_reason reason, std::string text, instant now, std::optional<failure> error = {});
    void finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error = {});
    void finish_at_limit(stop_reason reason, instant now);
    [[nodiscard]] std::string closing(const std::string& sentence) const;
    [[nodiscard]] answer state_of_things(stop_reason reason, std::string text) const;

    void resume(bool after_crash, instant now);
    /// What cannot be true of any run: a document that says so is damaged. Empty when there is nothing.
    [[nodiscard]] std::string contradiction() const;
    [[nodiscard]] bool calls_are_those_of_the_last_message() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
