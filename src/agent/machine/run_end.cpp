#include "agent/machine/closing_text.hpp"
#include "agent/machine/run_state.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/policy/run_hooks.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

void run_machine::state::finish_at_limit(stop_reason reason, instant now) {
    finish_soft(reason, detail::limit_sentence(reason, setup.limits), now);
}

/// What the model said beside its last calls comes first; what is known for certain comes last.
std::string run_machine::state::closing(const std::string& sentence) const {
    std::string text = detail::is_blank(commentary) ? std::string() : commentary + "\n\n";
    text += sentence;
    const std::string known = confirmed.text(events);
    if (!known.empty()) {
        text += "\n\n" + known;
    }
    return text;
}

void run_machine::state::finish_soft(stop_reason reason, std::string sentence, instant now, std::optional<failure> error) {
    finish(reason, closing(sentence), now, std::move(error));
}

void run_machine::state::finish(stop_reason reason, std::string text, instant now, std::optional<failure> error) {
    if (!calls.empty()) {
        // A history must not have open calls.
        for (detail::open_call& one : calls) {
            if (!one.reply) {
                close(one, reason, now);
            }
        }
        messages.push_back(detail::replies_to(std::exchange(calls, {})));
    }
    if (reason != stop_reason::complete && !messages.empty() && messages.back().role == role::user) {
        // So that the next question starts a turn of its own.
        message last = model_message(text);
        last.synthetic = true;
        messages.push_back(std::move(last));
    }
    emit(run_finished{.reason = reason}, now);
    relisting.reset();
    beside.clear();  // whoever waits for a nested call is told by the driver
    beside_begun = 0;
    answer last = state_of_things(reason, std::move(text));
    last.error = std::move(error);
    last.events = std::move(events);
    if (hooked) {
        become(action::collect_notes{.answer = std::move(last), .deadline = after(now, longest_wait_for_notes)});
    } else {
        become(action::finished{.answer = std::move(last)});
    }
}

void run_machine::state::on(input::notes added, instant) {
    answer last = std::move(std::get<action::collect_notes>(current).answer);
    last.text += added.text;
    become(action::finished{.answer = std::move(last)});
}

answer run_machine::state::state_of_things(stop_reason reason, std::string text) const {
    answer made;
    made.text = std::move(text);
    made.reason = reason;
    made.usage = usage;
    made.steps = steps;
    made.messages = messages;
    return made;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
