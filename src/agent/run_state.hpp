#pragma once
#include "agent/findings.hpp"
#include "agent/judge_response.hpp"
#include "agent/repeat_guard.hpp"

#include <pyaichat/agent/run_machine.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline v0 {

namespace detail {

/// One proposed call on its way through the gate, its run and its reply.
struct open_call {
    call_part proposed = {};
    std::uint64_t number = 0;
    bool started = false;
    std::optional<duration> timeout = {};
    std::string headline = {};
    std::optional<capability_reply> reply = {};
};

}  // namespace detail

/// Everything that a run is, between two decisions. Its members are defined by what they decide: run_machine.cpp (what comes in, time),
/// run_steps.cpp (model calls and what they come to), run_calls.cpp (the gate and the calls), run_end.cpp.
struct run_machine::state {
    enum class phase : unsigned char { listing, calling_model, delaying, running_call, finished };

    explicit state(run_setup from) : setup(std::move(from)), repeats(setup.limits.max_repeats) {}

    run_setup setup;
    conversation messages;
    pyaichat::declarations declared;
    phase at = phase::listing;
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
    instant call_deadline;

    std::vector<event> events;
    std::size_t events_taken = 0;
    std::uint64_t ignored = 0;

    void emit(event_data data, instant now);
    [[nodiscard]] instant deadline() const noexcept;

    void start(instant now);
    void begin_step(instant now);
    void on_declarations(input::declarations listed, instant now);
    void refuse_setup(const failure& why, instant now);
    void start_attempt(instant now);
    void withdraw(const std::string& why, instant now);
    void on_failure(failure error, instant now);
    void on_response(model_response response, instant now);
    void show_whole(const message& content, instant now);
    void keep(message content);
    void on_invalid(const detail::verdict& judged, instant now);
    void on_calls(const candidate& chosen, instant now);
    [[nodiscard]] std::optional<capability_reply> gate(detail::open_call& one);
    void run_next_call(instant now);
    void invoke(detail::open_call& one, instant now);
    void finish_call(capability_reply reply, instant now);
    void reply_to_calls(instant now);
    void on_woken(instant now);
    void finish(stop_reason reason, std::string text, instant now, std::optional<failure> error = {});
    void finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error = {});
    void finish_at_limit(stop_reason reason, instant now);
};

}  // namespace pyaichat::inline v0
