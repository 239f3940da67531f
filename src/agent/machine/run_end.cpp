#include "agent/machine/closing_text.hpp"
#include "agent/machine/run_state.hpp"

#include <pyaichat/core/text.hpp>

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
    at = phase::finished;
    relisting.reset();
    action::finished done;
    done.answer = state_of_things(reason, std::move(text));
    done.answer.error = std::move(error);
    done.answer.events = std::move(events);
    current = std::move(done);
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
