#include <pyaichat/agent/run_machine.hpp>

#include "agent/cap_reply.hpp"
#include "agent/closing_text.hpp"
#include "agent/findings.hpp"
#include "agent/judge_response.hpp"
#include "agent/repeat_guard.hpp"
#include "agent/retry.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline v0 {

namespace {

/// One proposed call on its way through the gate, its run and its reply.
struct open_call {
    call_part proposed = {};
    std::uint64_t number = 0;
    std::optional<duration> timeout = {};
    std::string headline = {};
    std::optional<capability_reply> reply = {};
};

capability_reply unknown_function(const std::string& name, const std::vector<capability_spec>& declarations) {
    std::vector<std::string> names;
    for (const capability_spec& spec : declarations) {
        names.push_back(spec.name);
    }
    const std::string_view nearest = nearest_name(name, names);
    json details = json::object();
    std::string text = "there is no function `" + one_line(name, 80) + "`";
    if (!nearest.empty()) {
        details["nearest"] = std::string(nearest);
        text += "; did you mean `" + std::string(nearest) + "`?";
    }
    return reply_error(reply_code::unknown_function, std::move(text), std::move(details));
}

/// Lateness that a person should be told of.
constexpr duration noticeable = std::chrono::milliseconds(100);

}  // namespace

struct run_machine::state {
    enum class phase : unsigned char { listing, calling_model, delaying, running_call, finished };

    explicit state(run_setup from) : setup(std::move(from)), repeats(setup.limits.max_repeats) {}

    run_setup setup;
    conversation messages;
    std::vector<capability_spec> declarations;
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
    bool shown = false;
    instant step_deadline;
    instant delayed_until;

    // of the calls at hand
    std::vector<open_call> calls;
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
    void start_attempt(instant now);
    void withdraw(const std::string& why, instant now);
    void on_failure(failure error, instant now);
    void on_response(model_response response, instant now);
    void show_whole(const message& content, instant now);
    void on_invalid(const detail::verdict& judged, instant now);
    void on_calls(const candidate& chosen, instant now);
    [[nodiscard]] std::optional<capability_reply> gate(open_call& one, int& allowed_in_step);
    void run_next_call(instant now);
    void invoke(const open_call& one, instant now);
    void finish_call(capability_reply reply, instant now);
    void reply_to_calls(instant now);
    void on_woken(instant now);
    void finish(stop_reason reason, std::string text, instant now, std::optional<failure> error = {});
    void finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error = {});
    void finish_at_limit(stop_reason reason, instant now) { finish_soft(reason, detail::limit_sentence(reason, setup.limits), now); }
};

// ---- the outside

run_machine::run_machine(run_setup setup, instant now) : state_(std::make_unique<state>(std::move(setup))) {
    state_->start(now);
}
run_machine::run_machine(run_machine&&) noexcept = default;
run_machine& run_machine::operator=(run_machine&&) noexcept = default;
run_machine::~run_machine() = default;

const machine_action& run_machine::next(instant now) {
    while (now >= state_->deadline()) {
        feed(input::woken{}, now);
    }
    return state_->current;
}

void run_machine::feed(machine_input in, instant now) {
    state& s = *state_;
    using phase = state::phase;
    if (s.at == phase::finished) {
        ++s.ignored;
    } else if (auto* declared = std::get_if<input::declarations>(&in); declared != nullptr && s.at == phase::listing) {
        s.declarations = std::move(declared->specs);
        ++s.steps;
        s.retries = 0;
        s.step_deadline = std::min(after(now, s.setup.limits.step_timeout), s.total_deadline);
        s.emit(step_started{.step = s.steps}, now);
        s.start_attempt(now);
    } else if (auto* delta = std::get_if<input::model_delta>(&in);
               delta != nullptr && s.at == phase::calling_model && delta->attempt == s.attempt) {
        if (delta->what == input::model_delta::kind::restart) {
            s.withdraw("the provider started again", now);
        } else if (delta->what == input::model_delta::kind::text) {
            s.shown = true;
            s.emit(text_delta{.step = s.steps, .text = std::move(delta->text)}, now);
        } else {
            s.shown = true;
            s.emit(thought_delta{.step = s.steps, .text = std::move(delta->text)}, now);
        }
    } else if (auto* came = std::get_if<input::model_result>(&in);
               came != nullptr && s.at == phase::calling_model && came->attempt == s.attempt) {
        if (came->outcome) {
            s.on_response(std::move(*came->outcome), now);
        } else {
            s.on_failure(std::move(came->outcome.error()), now);
        }
    } else if (auto* reply = std::get_if<input::call_reply>(&in);
               reply != nullptr && s.at == phase::running_call && reply->call == s.calls[s.running].number) {
        s.finish_call(std::move(reply->reply), now);
    } else if (std::holds_alternative<input::cancel>(in)) {
        s.finish_at_limit(stop_reason::cancelled, now);
    } else if (std::holds_alternative<input::woken>(in)) {
        s.on_woken(now);
    } else {
        ++s.ignored;
    }
}

std::vector<event> run_machine::take_events() {
    const auto from = state_->events.begin() + static_cast<std::ptrdiff_t>(state_->events_taken);
    std::vector<event> fresh(from, state_->events.end());
    state_->events_taken = state_->events.size();
    return fresh;
}

bool run_machine::has_events() const noexcept {
    return state_->events_taken < state_->events.size();
}
instant run_machine::deadline() const noexcept {
    return state_->deadline();
}
std::uint64_t run_machine::ignored_inputs() const noexcept {
    return state_->ignored;
}

// ---- time and events

void run_machine::state::emit(event_data data, instant now) {
    events.push_back({.number = events.size() + 1, .run_id = setup.run_id, .time = now, .data = std::move(data)});
}

instant run_machine::state::deadline() const noexcept {
    switch (at) {
        case phase::listing: return total_deadline;
        case phase::calling_model: return step_deadline;
        case phase::delaying: return delayed_until;
        case phase::running_call: return call_deadline;
        case phase::finished: break;
    }
    return instant::max();
}

void run_machine::state::on_woken(instant now) {
    if (now < deadline()) {
        return;
    }
    if (now >= total_deadline) {
        std::string sentence = detail::limit_sentence(stop_reason::total_timeout, setup.limits);
        if (at == phase::running_call && now - total_deadline > noticeable) {
            sentence += " It ended " + describe(now - total_deadline) + " late, because `" + calls[running].proposed.name +
                        "` held the program for so long.";
        }
        finish_soft(stop_reason::total_timeout, std::move(sentence), now);
    } else if (at == phase::calling_model) {
        finish_at_limit(stop_reason::step_timeout, now);
    } else if (at == phase::delaying) {
        start_attempt(now);
    } else if (at == phase::running_call) {
        std::string text = "no reply within " + describe(call_deadline - call_started_at);
        if (now - call_deadline > noticeable) {
            text += ", and none before " + describe(now - call_started_at) + " had passed";
        }
        finish_call(reply_error(reply_code::timeout, std::move(text)), now);
    }
}

// ---- steps

void run_machine::state::start(instant now) {
    total_deadline = after(now, setup.limits.total_timeout);
    messages = std::move(setup.history);
    emit(run_started{.question = setup.question}, now);
    result<void> fine = setup.refused ? result<void>(*setup.refused) : check(setup.limits);
    if (fine && is_blank(setup.question)) {
        fine = failure{.code = errc::invalid_argument, .message = "the question is empty", .hint = "Ask a question that has a text."};
    }
    if (!fine) {
        finish(stop_reason::not_started, "The run was not started: " + fine.error().message + ". " + fine.error().hint, now, fine.error());
        return;
    }
    messages.push_back(user_message(setup.question));
    begin_step(now);
}

/// Every limit is checked before it is spent.
void run_machine::state::begin_step(instant now) {
    const limits& bounds = setup.limits;
    if (now >= total_deadline) {
        finish_at_limit(stop_reason::total_timeout, now);
    } else if (steps >= bounds.max_steps) {
        finish_at_limit(stop_reason::max_steps, now);
    } else if (bounds.max_tokens_total > 0 && usage.total() >= bounds.max_tokens_total) {
        finish_at_limit(stop_reason::token_budget, now);
    } else {
        at = phase::listing;
        current = action::list_capabilities{};
    }
}

void run_machine::state::start_attempt(instant now) {
    at = phase::calling_model;
    shown = false;
    ++attempt;
    action::call_model wanted{.attempt = attempt, .deadline = step_deadline};
    wanted.request.instructions = setup.instructions;
    wanted.request.messages = messages;
    wanted.request.declarations = declarations;
    wanted.request.time_left = step_deadline - now;
    current = std::move(wanted);
}

void run_machine::state::withdraw(const std::string& why, instant now) {
    if (std::exchange(shown, false)) {
        emit(step_withdrawn{.step = steps, .why = why}, now);
    }
}

// ---- what a model call came to

void run_machine::state::on_failure(failure error, instant now) {
    const bool was_shown = shown;
    withdraw("the model call failed", now);
    const bool limited = error.code == errc::rate_limited || error.code == errc::quota_exhausted;
    stop_reason reason = limited ? stop_reason::rate_limited : stop_reason::provider_failed;
    if (detail::is_transient(error.code) && !was_shown && retries < setup.limits.transport_retries) {
        const duration delay = detail::retry_delay(error, retries + 1, setup.seed);
        if (after(now, delay) < step_deadline) {
            ++retries;
            delayed_until = after(now, delay);
            at = phase::delaying;
            current = action::wait{.until = delayed_until};
            emit(retry_scheduled{.step = steps, .retry = retries, .delay = delay, .why = std::string(to_string(error.code))}, now);
            return;
        }
        if (error.retry_after) {
            reason = stop_reason::rate_limited;  // it asks for more time than there is
        }
    }
    if (error.code == errc::timeout) {
        // The transport counts the same time, and may be a moment ahead.
        reason = step_deadline == total_deadline ? stop_reason::total_timeout : stop_reason::step_timeout;
        finish_soft(reason, detail::limit_sentence(reason, setup.limits), now, std::move(error));
        return;
    }
    std::string sentence = detail::provider_sentence(error);
    finish_soft(reason, std::move(sentence), now, std::move(error));
}

void run_machine::state::on_response(model_response response, instant now) {
    usage += response.usage;
    emit(usage_updated{.usage = usage}, now);
    if (response.prompt_block) {
        withdraw("the question was blocked", now);
        finish_soft(stop_reason::blocked, "The service blocked the question (" + one_line(*response.prompt_block, 60) + ").", now);
        return;
    }
    const detail::verdict judged = detail::judge(response);
    if (judged.chosen == nullptr) {
        on_invalid(judged, now);
        return;
    }
    const candidate& chosen = *judged.chosen;
    std::string text = repair_utf8(chosen.content.text());
    if (!shown) {
        show_whole(chosen.content, now);
    }
    if (chosen.content.has_calls()) {
        commentary = std::move(text);
        on_calls(chosen, now);
        return;
    }
    emit(step_finished{.step = steps}, now);
    if (chosen.finish == finish_reason::stop) {
        messages.push_back(chosen.content);
        finish(stop_reason::complete, std::move(text), now);
        return;
    }
    const std::string word = chosen.finish_text.empty() ? "no reason was given" : one_line(chosen.finish_text, 60);
    finish(stop_reason::truncated, text + "\n\nThe answer was cut off here (" + word + ").", now);
}

/// A provider that does not stream shows all at once, so that a screen has to look at nothing but deltas.
void run_machine::state::show_whole(const message& content, instant now) {
    for (const part& piece : content.parts) {
        if (const auto* thought = piece.as<thought_part>(); thought != nullptr && !thought->text.empty()) {
            emit(thought_delta{.step = steps, .text = repair_utf8(thought->text)}, now);
        } else if (const auto* said = piece.as<text_part>(); said != nullptr && !said->text.empty()) {
            emit(text_delta{.step = steps, .text = repair_utf8(said->text)}, now);
        }
    }
}

void run_machine::state::on_invalid(const detail::verdict& judged, instant now) {
    withdraw("the response was unusable: " + judged.why, now);
    if (invalid_responses >= setup.limits.invalid_response_retries) {
        if (judged.blocked) {
            finish_soft(stop_reason::blocked, "The service blocked the model's answer: " + judged.why + ".", now);
        } else {
            finish_soft(stop_reason::invalid_response, "The model's response could not be used: " + judged.why + ".", now,
                        failure{.code = errc::bad_response, .message = judged.why});
        }
        return;
    }
    ++invalid_responses;
    message corrected = messages.back();
    corrected.parts.push_back(text_part{.text = "Your last response could not be used: " + judged.why +
                                                ". Respond again, with well-formed function calls or with an answer as text."});
    messages.replace_back(std::move(corrected));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

// ---- calls

void run_machine::state::on_calls(const candidate& chosen, instant now) {
    messages.push_back(chosen.content);
    calls.clear();
    calls_proposed proposed{.step = steps};
    for (const part& piece : chosen.content.parts) {
        if (const auto* call = piece.as<call_part>()) {
            proposed.calls.push_back(*call);
            calls.push_back({.proposed = *call, .number = ++last_call_number});
        }
    }
    emit(std::move(proposed), now);
    if (calls_exceeded) {
        running = 0;
        finish_at_limit(stop_reason::max_calls, now);
        return;
    }
    int allowed_in_step = 0;
    for (open_call& one : calls) {
        one.reply = gate(one, allowed_in_step);
        if (one.reply) {
            detail::cap_reply(*one.reply, setup.limits.max_reply_bytes);
            emit(call_denied{.step = steps, .call = one.number, .name = one.proposed.name, .reply = *one.reply}, now);
        }
    }
    running = 0;
    run_next_call(now);
}

/// The reply to a call that must not be run, or nothing.
std::optional<capability_reply> run_machine::state::gate(open_call& one, int& allowed_in_step) {
    const auto declared =
        std::find_if(declarations.begin(), declarations.end(), [&](const capability_spec& spec) { return spec.name == one.proposed.name; });
    if (declared == declarations.end()) {
        return unknown_function(one.proposed.name, declarations);
    }
    if (allowed_in_step >= setup.limits.max_calls_per_step) {
        return reply_error(reply_code::limit, "at most " + std::to_string(setup.limits.max_calls_per_step) +
                                                  " calls are run in one step; make the others in the next one");
    }
    if (calls_run >= setup.limits.max_calls) {
        calls_exceeded = true;
        return reply_error(reply_code::limit,
                           "the limit of " + std::to_string(setup.limits.max_calls) + " calls is used up; answer now, with what is known");
    }
    ++allowed_in_step;
    ++calls_run;
    one.timeout = declared->timeout;
    one.headline = declared->headline;
    return std::nullopt;
}

void run_machine::state::run_next_call(instant now) {
    for (; running < calls.size(); ++running) {
        open_call& next = calls[running];
        if (next.reply) {
            continue;
        }
        if (now >= total_deadline) {
            finish_at_limit(stop_reason::total_timeout, now);
            return;
        }
        const auto ruling = repeats.before(next.proposed);
        if (ruling == detail::repeat_guard::ruling::run) {
            invoke(next, now);
            return;
        }
        if (ruling == detail::repeat_guard::ruling::end) {
            finish_at_limit(stop_reason::repeating, now);
            return;
        }
        next.reply = repeats.refusal();
        emit(call_denied{.step = steps, .call = next.number, .name = next.proposed.name, .reply = *next.reply}, now);
    }
    reply_to_calls(now);
}

void run_machine::state::invoke(const open_call& one, instant now) {
    at = phase::running_call;
    call_started_at = now;
    call_deadline = std::min(after(now, one.timeout.value_or(setup.limits.call_timeout)), total_deadline);
    action::invoke_capability wanted{.deadline = call_deadline};
    wanted.call.run_id = setup.run_id;
    wanted.call.step = steps;
    wanted.call.number = one.number;
    wanted.call.id = one.proposed.id;
    wanted.call.name = one.proposed.name;
    wanted.call.arguments = one.proposed.arguments;
    wanted.call.deadline = call_deadline;
    wanted.call.time_left = call_deadline - now;
    current = std::move(wanted);
    emit(call_started{.step = steps, .call = one.number, .name = one.proposed.name, .arguments = one.proposed.arguments}, now);
}

void run_machine::state::finish_call(capability_reply reply, instant now) {
    open_call& one = calls[running];
    detail::cap_reply(reply, setup.limits.max_reply_bytes);
    repeats.after(one.proposed, reply);
    confirmed.add(one.proposed.name, one.proposed.arguments, reply, one.headline);
    emit(call_finished{.step = steps,
                       .call = one.number,
                       .name = one.proposed.name,
                       .arguments = one.proposed.arguments,
                       .reply = reply,
                       .took = now - call_started_at},
         now);
    one.reply = std::move(reply);
    run_next_call(now);
}

/// One message with all replies, in the order of the calls.
void run_machine::state::reply_to_calls(instant now) {
    message replies;
    for (open_call& one : calls) {
        replies.parts.push_back(
            response_part{.id = std::move(one.proposed.id), .name = std::move(one.proposed.name), .response = one.reply->envelope()});
    }
    calls.clear();
    messages.push_back(std::move(replies));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

// ---- the end

void run_machine::state::finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error) {
    // What the model said beside its last calls comes first; what is known for certain comes last.
    std::string text = is_blank(commentary) ? std::string() : commentary + "\n\n";
    text += sentence;
    const std::string known = confirmed.text();
    if (!known.empty()) {
        text += "\n\n" + known;
    }
    finish(reason, std::move(text), now, std::move(error));
}

void run_machine::state::finish(stop_reason reason, std::string text, instant now, std::optional<failure> error) {
    if (!calls.empty()) {
        // A history must not have open calls.
        const bool late = reason == stop_reason::total_timeout;
        message replies;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            open_call& one = calls[i];
            if (!one.reply) {
                one.reply = late ? reply_error(reply_code::timeout, "the run reached its time limit")
                                 : reply_error(reply_code::cancelled,
                                               "the run ended before this call did (" + std::string(to_string(reason)) + ")");
                if (at == phase::running_call && i == running) {
                    emit(call_finished{.step = steps,
                                       .call = one.number,
                                       .name = one.proposed.name,
                                       .arguments = one.proposed.arguments,
                                       .reply = *one.reply,
                                       .took = now - call_started_at},
                         now);
                } else {
                    emit(call_denied{.step = steps, .call = one.number, .name = one.proposed.name, .reply = *one.reply}, now);
                }
            }
            replies.parts.push_back(response_part{.id = one.proposed.id, .name = one.proposed.name, .response = one.reply->envelope()});
        }
        calls.clear();
        messages.push_back(std::move(replies));
    }
    if (reason != stop_reason::complete && !messages.empty() && messages.back().role == role::user) {
        // So that the next question starts a turn of its own.
        message closing = model_message(text);
        closing.synthetic = true;
        messages.push_back(std::move(closing));
    }
    emit(run_finished{.reason = std::string(to_string(reason))}, now);
    at = phase::finished;
    action::finished done;
    done.answer.text = std::move(text);
    done.answer.reason = reason;
    done.answer.error = std::move(error);
    done.answer.usage = usage;
    done.answer.steps = steps;
    done.answer.messages = messages;
    done.answer.events = events;
    current = std::move(done);
}

}  // namespace pyaichat::inline v0
