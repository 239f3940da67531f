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
        gated,    ///< may be run, as far as the machine itself knows
        pending,  ///< a person has to decide
        allowed,
        started,  ///< is to be invoked
        invoked,  ///< the intent was fed: it may have had its effect
    };
    std::shared_ptr<const call_part> proposed = {};  ///< as it stands in the model's message, or with the arguments that it is run with
    std::uint64_t number = 0;
    stage at = stage::gated;
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};
    std::optional<duration> timeout = {};
    std::string headline = {};
    std::string reason = {};  ///< why a person is asked
    std::optional<capability_reply> reply = {};

    [[nodiscard]] proposed_call proposal() const;
    void change(json arguments);
};

/// A call that the running one has made.
struct nested_open_call {
    std::string name = {};
    json arguments = {};
    instant started_at = {};
};

[[nodiscard]] std::string_view to_string(open_call::stage value) noexcept;

/// One message with all replies, in the order of the calls.
[[nodiscard]] message replies_to(std::vector<open_call> calls);

}  // namespace detail

/// Everything that a run is, between two decisions. Its members are defined by what they decide: run_machine.cpp (what comes in, time),
/// run_steps.cpp (model calls and what they come to), run_gate.cpp (which calls may run), run_calls.cpp (running them), run_end.cpp,
/// run_snapshot.cpp and run_restore.cpp.
struct run_machine::state {
    enum class phase : unsigned char { listing, calling_model, delaying, asking, awaiting, running_call, finished };
    friend std::string_view to_string(phase value) noexcept {
        switch (value) {
            case phase::listing: return "listing";
            case phase::calling_model: return "calling_model";
            case phase::delaying: return "delaying";
            case phase::asking: return "asking";
            case phase::awaiting: return "awaiting";
            case phase::running_call: return "running_call";
            case phase::finished: return "finished";
        }
        return "unknown";
    }

    explicit state(run_setup from) : setup(std::move(from)), repeats(setup.limits.max_repeats) {}

    run_setup setup;
    conversation messages;
    pyaichat::capability_list declared;
    phase at = phase::listing;
    /// Restored, and the declarations are not known again yet: what they were, by name.
    std::optional<std::map<std::string, std::string>> relisting;
    machine_action current = action::list_capabilities{};

    int steps = 0;
    int invalid_responses = 0;
    int calls_run = 0;
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
    instant call_started_at;
    instant call_begun_at;  ///< in this process
    instant call_deadline;
    instant paused_at;
    std::map<std::uint64_t, detail::nested_open_call> nested;  ///< not answered yet, by number
    std::vector<nested_order> orders;

    std::vector<event> events;
    std::uint64_t events_before = 0;  ///< in the run up to where it was restored
    std::size_t events_taken = 0;
    std::uint64_t ignored = 0;

    void emit(event_data data, instant now);
    [[nodiscard]] const std::vector<event>& happened() const noexcept;
    [[nodiscard]] instant deadline() const noexcept;

    void start(instant now);
    void begin_step(instant now);
    void on_declarations(input::declarations listed, instant now);
    void refuse_setup(const failure& why, instant now);
    void start_attempt(instant now);
    void on_delta(input::model_delta delta, instant now);
    void withdraw(const std::string& why, instant now);
    void on_failure(failure error, instant now);
    void on_response(model_response response, instant now);
    void show_whole(const message& content, instant now);
    void keep(message content);
    void on_invalid(const detail::verdict& judged, instant now);
    void on_calls(message content, const std::vector<argument_check>& checks, instant now);
    [[nodiscard]] std::optional<capability_reply> gate(detail::open_call& one, const argument_check& check = {});
    void deny(detail::open_call& one, capability_reply reply, instant now);
    void on_opinions(const input::opinions& said, instant now);
    void apply(detail::open_call& one, const input::opinions& said, instant now);
    [[nodiscard]] detail::open_call* pending(std::uint64_t number) noexcept;
    [[nodiscard]] result<void> check_ruling(const call_ruling& made);
    void on_decisions(input::decisions made, instant now);
    void ask_approval(instant now);
    void await_approval(instant now);
    void run_next_call(instant now);
    void begin(detail::open_call& one, instant now);
    [[nodiscard]] capability_call invocation(const detail::open_call& one, instant begun) const;
    void on_nested_call(input::nested_call wanted, instant now);
    void on_nested_reply(std::uint64_t number, capability_reply reply, instant now);
    void close_nested(instant now);
    void finish_call(capability_reply reply, instant now);
    void ended(detail::open_call& one, capability_reply reply, instant now);
    void close(detail::open_call& one, stop_reason reason, instant now);
    void reply_to_calls(instant now);
    void on_woken(instant now);
    void finish(stop_reason reason, std::string text, instant now, std::optional<failure> error = {});
    void finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error = {});
    void finish_at_limit(stop_reason reason, instant now);
    [[nodiscard]] std::string closing(const std::string& sentence) const;
    [[nodiscard]] answer state_of_things(stop_reason reason, std::string text) const;

    void resume(instant now);
    void check_whole(const detail::json_fields& from) const;
    [[nodiscard]] bool calls_are_those_of_the_last_message() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
