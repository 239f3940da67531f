#include <pyaichat/agent/run_machine.hpp>

#include "agent/machine/closing_text.hpp"
#include "agent/machine/run_state.hpp"

#include <cstddef>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI {

run_machine::run_machine(run_setup setup, instant now) : state_(std::make_unique<state>(std::move(setup))) {
    state_->start(now);
}
run_machine::run_machine(std::unique_ptr<state> restored) noexcept : state_(std::move(restored)) {}
run_machine::run_machine(run_machine&&) noexcept = default;
run_machine& run_machine::operator=(run_machine&&) noexcept = default;
run_machine::~run_machine() = default;

const machine_action& run_machine::next(instant now) {
    while (!finished() && now >= state_->deadline()) {
        feed(input::woken{}, now);
    }
    return state_->current;
}

void run_machine::feed(machine_input in, instant now) {
    state& s = *state_;
    using phase = state::phase;
    const auto of_this_call = [&](std::uint64_t number) { return s.at == phase::running_call && s.calls[s.running].number == number; };
    if (s.at == phase::finished) {
        ++s.ignored;
    } else if (std::holds_alternative<input::cancel>(in)) {
        s.finish_at_limit(stop_reason::cancelled, now);
    } else if (std::holds_alternative<input::woken>(in)) {
        s.on_woken(now);
    } else if (auto* unwanted = std::get_if<input::nested_call>(&in);
               unwanted != nullptr && (s.relisting || !of_this_call(unwanted->parent))) {
        s.orders.push_back(
            {.ticket = unwanted->ticket, .refused = reply_error(reply_code::cancelled, "the call that wanted this one is over")});
    } else if (s.relisting || s.at == phase::listing) {
        if (auto* listed = std::get_if<input::declarations>(&in)) {
            s.on_declarations(std::move(*listed), now);
        } else {
            ++s.ignored;
        }
    } else if (auto* delta = std::get_if<input::model_delta>(&in);
               delta != nullptr && s.at == phase::calling_model && delta->attempt == s.attempt) {
        s.on_delta(std::move(*delta), now);
    } else if (auto* came = std::get_if<input::model_result>(&in);
               came != nullptr && s.at == phase::calling_model && came->attempt == s.attempt) {
        if (came->outcome) {
            s.on_response(std::move(*came->outcome), now);
        } else {
            s.on_failure(std::move(came->outcome.error()), now);
        }
    } else if (const auto* said = std::get_if<input::opinions>(&in); said != nullptr && s.at == phase::asking) {
        s.on_opinions(*said, now);
    } else if (auto* made = std::get_if<input::decisions>(&in); made != nullptr && s.at == phase::awaiting) {
        s.on_decisions(std::move(*made), now);
    } else if (const auto* begun = std::get_if<input::invoking>(&in); begun != nullptr && of_this_call(begun->call)) {
        s.calls[s.running].at = detail::open_call::stage::invoked;
    } else if (auto* output = std::get_if<input::call_output>(&in); output != nullptr && of_this_call(output->call)) {
        s.emit(call_output{.step = s.steps, .call = output->call, .text = std::move(output->text)}, now);
    } else if (auto* reply = std::get_if<input::call_reply>(&in); reply != nullptr && of_this_call(reply->call)) {
        s.finish_call(std::move(reply->reply), now);
    } else if (auto* nested = std::get_if<input::nested_call>(&in); nested != nullptr) {
        s.on_nested_call(std::move(*nested), now);
    } else if (auto* told = std::get_if<input::nested_reply>(&in); told != nullptr && s.nested.count(told->call) != 0) {
        s.on_nested_reply(told->call, std::move(told->reply), now);
    } else {
        ++s.ignored;
    }
}

const event* run_machine::take_event() noexcept {
    return has_events() ? &state_->happened()[state_->events_taken++] : nullptr;
}

bool run_machine::finished() const noexcept {
    return state_->at == state::phase::finished;
}

answer run_machine::take_answer() {
    PYAICHAT_ASSERT(finished(), "a run has an answer when it has ended");
    return std::move(std::get<action::finished>(state_->current).answer);
}

std::optional<nested_order> run_machine::take_nested() {
    if (state_->orders.empty()) {
        return std::nullopt;
    }
    nested_order first = std::move(state_->orders.front());
    state_->orders.erase(state_->orders.begin());
    return first;
}

const capability_list& run_machine::declared() const noexcept {
    return state_->declared;
}

const std::string& run_machine::question() const noexcept {
    return state_->setup.question;
}

bool run_machine::has_events() const noexcept {
    return state_->events_taken < state_->happened().size();
}
instant run_machine::deadline() const noexcept {
    return state_->deadline();
}
std::uint64_t run_machine::ignored_inputs() const noexcept {
    return state_->ignored;
}

result<void> run_machine::check(const input::decisions& made) const {
    std::set<std::uint64_t> seen;
    for (const call_ruling& ruling : made.rulings) {
        if (!seen.insert(ruling.call).second) {
            return failure{.code = errc::invalid_argument,
                           .message = "there are two decisions about call " + std::to_string(ruling.call),
                           .hint = "Give one decision about each call."};
        }
        if (result<void> fine = state_->check_ruling(ruling); !fine) {
            return fine;
        }
    }
    return {};
}

// ---- time and events

void run_machine::state::emit(event_data data, instant now) {
    if (events.empty()) {
        events.reserve(24);  // those of a short run
    }
    events.push_back({.number = events_before + events.size() + 1, .run_id = setup.run_id, .time = now, .data = std::move(data)});
}

/// All events so far. When the run ends they go into its answer.
const std::vector<event>& run_machine::state::happened() const noexcept {
    const auto* done = std::get_if<action::finished>(&current);
    return done != nullptr ? done->answer.events : events;
}

instant run_machine::state::deadline() const noexcept {
    if (relisting && at != phase::awaiting) {
        return total_deadline;
    }
    switch (at) {
        case phase::listing:
        case phase::asking: return total_deadline;
        case phase::calling_model: return step_deadline;
        case phase::delaying: return delayed_until;
        case phase::running_call: return call_deadline;
        case phase::awaiting:  // a person has all the time
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
        if (at == phase::running_call && now - total_deadline > detail::noticeable) {
            sentence += " It ended " + describe(now - total_deadline) + " late, because `" + calls[running].proposed->name +
                        "` held the program for so long.";
        }
        finish_soft(stop_reason::total_timeout, std::move(sentence), now);
    } else if (at == phase::calling_model) {
        finish_at_limit(stop_reason::step_timeout, now);
    } else if (at == phase::delaying) {
        start_attempt(now);
    } else if (at == phase::running_call) {
        std::string text = "no reply within " + describe(call_deadline - call_started_at);
        if (now - call_deadline > detail::noticeable) {
            text += ", and none before " + describe(now - call_started_at) + " had passed";
        }
        finish_call(reply_error(reply_code::timeout, std::move(text)), now);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
