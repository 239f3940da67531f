#include "agent/machine/closing_text.hpp"
#include "agent/machine/run_state.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/policy/run_hooks.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

void run_machine::state::finish_at_limit(stop_reason reason, instant now) {
    finish_soft(reason, detail::limit_sentence(reason, setup.limits), now);
}

/// Joins the text that accompanied the last calls, the sentence, and the confirmed findings.
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
        // A provider rejects a history in which a call has no reply.
        for (detail::open_call& call : calls) {
            if (!call.reply) {
                close(call, reason, now);
            }
        }
        messages.push_back(detail::replies_to(std::exchange(calls, {})));
    }
    if (!messages.empty() && messages.back().role == role::user) {
        // Closes the turn: the next question must not be merged with this message.
        message last = model_message(text);
        last.synthetic = true;
        messages.push_back(std::move(last));
    }
    emit(run_finished{.reason = reason}, now);
    relisting.reset();
    beside.clear();  // the driver replies to the callers of nested calls
    beside_begun = 0;
    answer last = state_of_things(reason, std::move(text));
    last.error = std::move(error);
    last.value = std::exchange(value, std::nullopt);
    last.events = std::move(events);
    if (hooked) {
        become(action::collect_notes{.answer = std::move(last), .deadline = after(now, longest_wait_for_notes)});
    } else {
        become(action::finished{.answer = std::move(last)});
    }
}

void run_machine::state::on(input::notes notes, instant) {
    answer last = std::move(std::get<action::collect_notes>(current).answer);
    last.text += notes.text;
    become(action::finished{.answer = std::move(last)});
}

answer run_machine::state::state_of_things(stop_reason reason, std::string text) const {
    answer summary;
    summary.text = std::move(text);
    summary.reason = reason;
    summary.usage = usage;
    summary.cost = total_cost();
    summary.steps = steps;
    summary.messages = messages;
    return summary;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
