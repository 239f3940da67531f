#pragma once
#include "agent/machine/answer_schema.hpp"
#include "agent/machine/findings.hpp"
#include "agent/machine/judge_response.hpp"
#include "agent/machine/partial_json.hpp"
#include "agent/machine/repeat_guard.hpp"

#include <pyaichat/agent/run_machine.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Delays above this are reported to a person. Also how far the clock of a transport may be ahead of the run's clock.
inline constexpr duration noticeable = std::chrono::milliseconds(100);

/// A proposed call, from its validation to its final reply.
struct open_call {
    enum class stage : unsigned char {
        gated,    ///< valid; policies and hooks have to be asked
        pending,  ///< waits for the decision of a person
        allowed,
        started,    ///< the driver has to invoke it
        invoked,    ///< `input::invoking` was fed: the call may have had its effect
        returned,   ///< hooks review its reply
        suspended,  ///< waits for a reply from outside
    };
    std::shared_ptr<const call_part> proposed = {};  ///< from the model's message, or with changed arguments
    std::uint64_t number = 0;
    stage at = stage::gated;
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};
    std::optional<duration> timeout = {};
    std::string headline = {};
    std::string reason = {};                        ///< why a person is asked, or what a suspended call waits for
    int rounds = 0;                                 ///< how often its arguments were changed and reviewed again
    bool asked = false;                             ///< policies and hooks are looking at it
    bool by_person = false;                         ///< a person has changed the arguments: policies can now only restrict the call
    std::optional<call_decision> decided = {};      ///< the decision of a person, while the declarations were not known
    std::optional<capability_reply> returned = {};  ///< the reply that hooks have to review
    std::optional<capability_reply> reply = {};     ///< the final reply
    instant started_at = {};
    instant begun_at = {};  ///< in this process
    instant deadline = instant::max();
    std::uint64_t ticket = 0;  ///< of a nested call
    int depth = 0;             ///< 0 = a call of the model
    std::uint64_t root = 0;    ///< of a nested call: the model's call around it
    bool was_started = false;  ///< before a restore: its event `call_started` is not repeated

    [[nodiscard]] proposed_call proposal() const;
    /// Returns whether the call waits for the decision of a person, or for a reply from outside.
    [[nodiscard]] bool is_pending() const noexcept { return !reply && !decided && (at == stage::pending || at == stage::suspended); }
    /// Returns whether the call has an order to be invoked, and no final reply.
    [[nodiscard]] bool is_in_flight() const noexcept { return !reply && at >= stage::started && at != stage::suspended; }
    void change(json arguments);
};

[[nodiscard]] std::string_view to_string(open_call::stage value) noexcept;

/// Returns the reply to a call whose capability has changed since the call was decided.
[[nodiscard]] capability_reply changed_since(const std::string& name);

/// Returns a message with all replies, in the order of the calls.
[[nodiscard]] message replies_to(std::vector<open_call> calls);

}  // namespace detail

/// The state of a run. Its members are defined by topic: run_machine.cpp (inputs, actions, time), run_steps.cpp (model calls), run_gate.cpp
/// (which calls may run), run_calls.cpp (running them), typed_answers.cpp, run_end.cpp, run_snapshot.cpp and run_restore.cpp.
struct run_machine::state {
    explicit state(run_setup value) : setup(std::move(value)), repeats(setup.limits.max_repeats) {}

    run_setup setup;
    conversation messages;
    pyaichat::capability_list declared;
    /// The main action. Its alternative is the phase of the run.
    machine_action current = action::list_capabilities{};
    bool begun = false;  ///< the driver has started `current`
    /// Actions that are started before `current`, in this order: for the reply of the running call and for nested calls.
    std::vector<machine_action> beside;
    std::size_t beside_begun = 0;
    machine_action resting = action::wait{};  ///< the result of `next` after all actions were started
    /// Set after a restore, until the declarations are known again: the fingerprints of the earlier declarations, by name.
    std::optional<std::map<std::string, std::string>> relisting;
    bool hooked = false;

    int steps = 0;
    int invalid_responses = 0;
    int calls_run = 0;
    int recoveries = 0;
    bool recovered = false;  ///< restored after a crash, and not resumed yet
    bool calls_exceeded = false;
    token_usage usage;
    std::optional<money> cost;    ///< of the responses so far; empty before the first
    bool unpriced = false;        ///< a response had no cost, so `cost` is not the total
    std::size_t image_bytes = 0;  ///< of all images of the run
    instant total_deadline;
    std::string commentary;
    detail::findings confirmed;
    detail::repeat_guard repeats;

    // The typed answer, if the setup has a schema for it.
    std::optional<detail::answer_schema> typed;
    bool answered_by_text = false;  ///< where a call of the function was asked for
    std::optional<detail::partial_json> partial;
    std::optional<json> value;

    // The current model call.
    std::uint64_t attempt = 0;
    int retries = 0;
    bool text_shown = false;
    bool thoughts_shown = false;
    instant step_deadline;
    instant delayed_until;

    // The calls of the current step.
    std::vector<detail::open_call> calls;
    std::size_t running = 0;  ///< the call of `action::invoke_capability`; `read` calls after it may run beside it
    std::uint64_t last_call_number = 0;
    instant call_started_at;  ///< for the last started call of the model
    instant paused_at;
    instant approval_deadline = instant::max();
    std::map<std::uint64_t, detail::open_call> undecided;  ///< nested calls that wait for approval, by ticket; the number may be 0
    std::map<std::uint64_t, detail::open_call> nested;     ///< nested calls that were started and have no reply yet, by number

    std::vector<event> events;
    std::uint64_t events_before = 0;  ///< the number of events before the restore
    std::size_t events_taken = 0;
    std::uint64_t ignored = 0;

    template <class Action>
    [[nodiscard]] bool is() const noexcept {
        return std::holds_alternative<Action>(current);
    }
    void become(auto next) {
        current = std::move(next);
        begun = false;
    }
    [[nodiscard]] const machine_action& next();
    void emit(auto data, instant now) { add_event(now).data = std::move(data); }
    [[nodiscard]] event& add_event(instant now);
    [[nodiscard]] const answer* last_answer() const noexcept;
    [[nodiscard]] std::optional<money> total_cost() const noexcept { return unpriced ? std::nullopt : cost; }
    [[nodiscard]] const std::vector<event>& happened() const noexcept;
    [[nodiscard]] instant deadline() const noexcept;

    // Inputs: whether each is expected now, and what it does then.
    [[nodiscard]] bool expects(const machine_input& in) const noexcept;
    [[nodiscard]] bool has_ended() const noexcept { return is<action::collect_notes>() || is<action::finished>(); }
    void on(input::declarations listed, instant now);
    void on(input::model_delta delta, instant now);
    void on(input::model_result&& returned, instant now);
    void on(input::opinions opinions, instant now);
    void on(input::decisions made, instant now);
    void on(input::invoking started, instant now);
    void on(input::call_output output, instant now);
    void on(input::call_returned&& returned, instant now);
    void on(input::call_reply&& replied, instant now);
    void on(input::nested_call request, instant now);
    void on(input::notes added, instant now);
    void on(input::cancel, instant now);
    void on(input::woken, instant now);

    void start(instant now);
    void begin_step(instant now);
    void refuse_setup(const failure& why, instant now);
    void start_attempt(instant now);
    void withdraw(const std::string& why, instant now);
    void on_failure(failure error, instant now);
    void on_response(model_response&& response, instant now);
    void show_whole(const message& content, instant now);
    void keep(message content);
    void on_invalid(const detail::verdict& judged, instant now);
    /// Counts an invalid response. Returns false if the budget is spent.
    [[nodiscard]] bool count_invalid() noexcept;
    void finish_invalid(const std::string& why, instant now);
    /// Reads a piece of a typed answer. Returns whether to show the value so far.
    [[nodiscard]] bool read_partial(const std::string& piece);
    void on_typed_text(candidate&& chosen, instant now);
    void finish_by_call(message content, json answer, instant now);
    void finish_typed(json answer, instant now);
    /// Returns what is declared to the model.
    [[nodiscard]] const pyaichat::capability_list& offered() const noexcept { return typed ? typed->offered() : declared; }
    void on_calls(message content, const std::vector<argument_check>& checks, instant now);
    [[nodiscard]] std::optional<capability_reply> misfit(detail::open_call& call, const argument_check& check = {}) const;
    [[nodiscard]] std::optional<capability_reply> over_limit();
    void deny(detail::open_call& call, capability_reply reply, instant now);
    void apply(detail::open_call& call, const input::opinions& opinions, instant now);
    void apply(detail::open_call& call, call_decision decision, instant now);
    [[nodiscard]] std::string change(detail::open_call& call, json arguments) const;
    [[nodiscard]] std::vector<pending_call> pending_calls() const;
    [[nodiscard]] const detail::open_call* pending(std::uint64_t number) const noexcept;
    [[nodiscard]] detail::open_call* suspended(std::uint64_t number) const noexcept;
    [[nodiscard]] bool is_pending() const noexcept;
    void refuse(detail::open_call& call, capability_reply reply, instant now);
    [[nodiscard]] result<void> check(const call_ruling& ruling) const;
    void go_on_after_approval(instant now);
    void expire_approval(instant now);
    void deny_changed_calls(const result<capability_list>& listed, instant now);
    void await_approval(instant now);
    /// Returns the started call with this number if it has no final reply, else null.
    [[nodiscard]] detail::open_call* running_call(std::uint64_t number) noexcept;
    [[nodiscard]] const detail::open_call* running_call(std::uint64_t number) const noexcept;
    void run_next_call(instant now);
    void start_reads(instant now);
    void suspend(detail::open_call& call, std::string reason, instant now);
    [[nodiscard]] detail::open_call& root_of(const detail::open_call& call) noexcept;
    void begin(detail::open_call& call, instant now);
    void order(detail::open_call& call, instant now);
    void finish_call(detail::open_call& call, capability_reply&& reply, instant now);
    void refuse_nested(const input::nested_call& request);
    void decide_nested(detail::open_call call, input::opinions opinions, instant now);
    void deny_nested(detail::open_call& call, capability_reply reply, instant now);
    void withdraw_orders(const std::function<bool(std::uint64_t)>& is_over);
    void close_nested(std::uint64_t root, instant now);
    void time_out(instant now);
    void ended(detail::open_call& call, capability_reply&& reply, instant now);
    [[nodiscard]] capability_reply cut_off(const detail::open_call& call, reply_code code, const std::string& why) const;
    void close(detail::open_call& call, stop_reason reason, instant now);
    void reply_to_calls(instant now);

    void finish(stop_reason reason, std::string text, instant now, std::optional<failure> error = {});
    void finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error = {});
    void finish_at_limit(stop_reason reason, instant now);
    [[nodiscard]] std::string closing(const std::string& sentence) const;
    [[nodiscard]] answer state_of_things(stop_reason reason, std::string text) const;

    void resume(bool after_crash, instant now);
    /// Returns why this state is impossible, so that its snapshot must be damaged. Empty if the state is valid.
    [[nodiscard]] std::string contradiction() const;
    [[nodiscard]] bool calls_are_those_of_the_last_message() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
