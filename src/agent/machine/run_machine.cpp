#include <pyaichat/agent/run_machine.hpp>

#include "agent/machine/closing_text.hpp"
#include "agent/machine/run_state.hpp"

#include <algorithm>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI {

run_machine::run_machine(run_setup setup, instant now) : state_(std::make_unique<state>(std::move(setup))) {
    state_->start(now);
}
run_machine::run_machine(std::unique_ptr<state> restored) noexcept : state_(std::move(restored)) {}
run_machine::run_machine(run_machine&&) noexcept = default;
run_machine& run_machine::operator=(run_machine&&) noexcept = default;
run_machine::~run_machine() = default;

void run_machine::use_hooks() noexcept {
    state_->hooked = true;
}

const machine_action& run_machine::next(instant now) {
    while (!finished() && now >= state_->deadline()) {
        feed(input::woken{}, now);
    }
    return state_->next();
}

void run_machine::began() noexcept {
    if (state_->beside_begun < state_->beside.size()) {
        ++state_->beside_begun;
    } else {
        state_->begun = true;
    }
}

bool run_machine::has_begun() const noexcept {
    return state_->begun;
}

bool run_machine::has_orders() const noexcept {
    const state& s = *state_;
    if (s.relisting || s.beside_begun == s.beside.size()) {
        return !s.relisting && s.is<action::collect_notes>() && !s.begun;
    }
    return !std::holds_alternative<action::invoke_capability>(s.beside[s.beside_begun]);  // after its event
}

bool run_machine::is_urgent() const noexcept {
    return has_orders() || state_->relisting || state_->is<action::list_capabilities>() || finished();
}

void run_machine::feed(machine_input in, instant now) {
    if (state_->expects(in)) {
        std::visit([&](auto& input) { state_->on(std::move(input), now); }, in);
    } else if (const auto* nested = std::get_if<input::nested_call>(&in); nested != nullptr && !state_->has_ended()) {
        state_->refuse_nested(*nested);
    } else if (!std::holds_alternative<input::call_returned>(in)) {
        ++state_->ignored;
    }
}

void run_machine::stop(failure why, instant now) {
    if (!state_->has_ended()) {
        state_->finish_soft(stop_reason::cancelled, "The run was stopped here, because it is continued elsewhere.", now, std::move(why));
    }
}

bool run_machine::is_recorded(const machine_input& in) const noexcept {
    const auto* returned = std::get_if<input::call_returned>(&in);
    const bool seen_by_hooks = !state_->hooked || returned == nullptr || returned->reply.code == reply_code::suspended;
    return seen_by_hooks && !state_->has_ended() && state_->expects(in);
}

const event* run_machine::take_event() noexcept {
    const std::vector<event>& all = state_->happened();
    return state_->events_taken < all.size() && !state_->is<action::collect_notes>() ? &all[state_->events_taken++] : nullptr;
}

bool run_machine::has_events() const noexcept {
    return !state_->is<action::collect_notes>() && state_->events_taken < state_->happened().size();
}

bool run_machine::finished() const noexcept {
    return state_->is<action::finished>();
}

const answer* run_machine::reply() const noexcept {
    if (const auto* paused = std::get_if<action::await_approval>(&state_->current)) {
        return state_->relisting ? nullptr : &paused->answer;
    }
    return finished() ? state_->last_answer() : nullptr;
}

answer run_machine::take_answer() {
    PYAICHAT_ASSERT(finished(), "a run has an answer when it has ended");
    return std::move(std::get<action::finished>(state_->current).answer);
}

bool run_machine::is_pending() const noexcept {
    return state_->is_pending();
}

std::size_t run_machine::max_reply_bytes() const noexcept {
    return state_->setup.limits.max_reply_bytes;
}

const limits& run_machine::bounds() const noexcept {
    return state_->setup.limits;
}

const json& run_machine::answer_schema() const noexcept {
    return state_->setup.answer_schema;
}

const capability_list& run_machine::declared() const noexcept {
    return state_->declared;
}

const std::string& run_machine::question() const noexcept {
    return state_->setup.question;
}

instant run_machine::deadline() const noexcept {
    return state_->deadline();
}

std::uint64_t run_machine::ignored_inputs() const noexcept {
    return state_->ignored;
}

// ---- actions

const machine_action& run_machine::state::next() {
    if (relisting) {
        static const machine_action list = action::list_capabilities{};
        return list;
    }
    if (beside_begun < beside.size()) {
        return beside[beside_begun];
    }
    beside.clear();
    beside_begun = 0;
    if (!begun) {
        return current;
    }
    resting = action::wait{.until = deadline()};
    return resting;
}

// ---- inputs

bool run_machine::state::expects(const machine_input& in) const noexcept {
    struct expectation {
        const state& s;
        bool operator()(const input::declarations&) const {
            return s.relisting || s.is<action::list_capabilities>() || s.is<action::ask_approval>() || s.is<action::invoke_capability>();
        }
        bool operator()(const input::model_delta& delta) const { return s.is<action::call_model>() && delta.attempt == s.attempt; }
        bool operator()(const input::model_result& outcome) const { return s.is<action::call_model>() && outcome.attempt == s.attempt; }
        bool operator()(const input::opinions& opinions) const {
            if (opinions.nested == 0) {
                return s.is<action::ask_approval>();
            }
            // Not when the call around it has replied: a replay does not know that hooks are reviewing that reply.
            const auto asked = s.undecided.find(opinions.nested);
            const detail::open_call* root = asked != s.undecided.end() ? s.running_call(asked->second.root) : nullptr;
            return root != nullptr && root->at != detail::open_call::stage::returned;
        }
        bool operator()(const input::decisions&) const { return s.is_pending(); }
        bool operator()(const input::invoking& begun) const { return s.running_call(begun.call) != nullptr; }
        bool operator()(const input::call_output& output) const {
            return s.running_call(output.call) != nullptr && s.nested.count(output.call) == 0;
        }
        bool operator()(const input::call_returned& returned) const {
            const detail::open_call* call = s.running_call(returned.call);
            if (call == nullptr) {
                return (!s.hooked || returned.reply.code == reply_code::suspended) && s.suspended(returned.call) != nullptr;
            }
            return call->at != detail::open_call::stage::returned;
        }
        bool operator()(const input::call_reply& replied) const {
            return s.running_call(replied.call) != nullptr || s.suspended(replied.call) != nullptr;
        }
        bool operator()(const input::nested_call& nested) const {
            const detail::open_call* parent = s.running_call(nested.parent);
            return parent != nullptr && parent->at != detail::open_call::stage::returned;
        }
        bool operator()(const input::notes&) const { return s.is<action::collect_notes>(); }
        bool operator()(const input::cancel&) const { return !s.has_ended(); }
        bool operator()(const input::woken&) const { return !s.is<action::finished>(); }
    };
    const bool any_time = std::holds_alternative<input::declarations>(in) || std::holds_alternative<input::decisions>(in) ||
                          std::holds_alternative<input::cancel>(in) || std::holds_alternative<input::woken>(in);
    return (!relisting || any_time) && std::visit(expectation{*this}, in);
}

void run_machine::state::on(input::cancel, instant now) {
    finish_at_limit(stop_reason::cancelled, now);
}

void run_machine::state::on(input::woken, instant now) {
    if (now < deadline()) {
        return;
    }
    if (is<action::collect_notes>()) {
        on(input::notes{}, now);
    } else if (is<action::await_approval>()) {
        expire_approval(now);
    } else if (now >= total_deadline) {
        std::string sentence = detail::limit_sentence(stop_reason::total_timeout, setup.limits);
        if (is<action::invoke_capability>() && now - total_deadline > detail::noticeable) {
            sentence += " It ended " + describe(now - total_deadline) + " late, because `" + calls[running].proposed->name +
                        "` blocked the program.";
        }
        finish_soft(stop_reason::total_timeout, std::move(sentence), now);
    } else if (is<action::call_model>()) {
        finish_at_limit(stop_reason::step_timeout, now);
    } else if (is<action::wait>()) {
        start_attempt(now);
    } else if (is<action::invoke_capability>()) {
        time_out(now);
    }
}

// ---- time and events

event& run_machine::state::add_event(instant now) {
    if (events.empty()) {
        events.reserve(24);  // enough for a short run
    }
    return events.emplace_back(event{.number = events_before + events.size() + 1, .run_id = setup.run_id, .time = now});
}

/// Returns the answer of a run that has ended, else null.
const answer* run_machine::state::last_answer() const noexcept {
    if (const auto* noted = std::get_if<action::collect_notes>(&current)) {
        return &noted->answer;
    }
    const auto* done = std::get_if<action::finished>(&current);
    return done != nullptr ? &done->answer : nullptr;
}

/// Returns all events so far, which the answer owns after the end.
const std::vector<event>& run_machine::state::happened() const noexcept {
    const answer* last = last_answer();
    return last != nullptr ? last->events : events;
}

instant run_machine::state::deadline() const noexcept {
    if (is<action::await_approval>()) {
        return relisting ? instant::max() : approval_deadline;
    }
    if (is<action::finished>()) {
        return instant::max();
    }
    if (const auto* notes = std::get_if<action::collect_notes>(&current)) {
        return notes->deadline;
    }
    if (relisting) {
        return total_deadline;
    }
    if (is<action::call_model>()) {
        return step_deadline;
    }
    if (is<action::wait>()) {
        return delayed_until;
    }
    if (!is<action::invoke_capability>()) {
        return total_deadline;
    }
    instant first = total_deadline;
    for (const detail::open_call& call : calls) {
        first = call.is_in_flight() ? std::min(first, call.deadline) : first;
    }
    for (const auto& [number, call] : nested) {
        first = std::min(first, call.deadline);
    }
    return first;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
