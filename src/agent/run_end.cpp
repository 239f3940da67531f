#include "agent/closing_text.hpp"
#include "agent/run_state.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline v0 {

void run_machine::state::finish_at_limit(stop_reason reason, instant now) {
    finish_soft(reason, detail::limit_sentence(reason, setup.limits), now);
}

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
            detail::open_call& one = calls[i];
            if (!one.reply) {
                one.reply = late ? reply_error(reply_code::timeout, "the run reached its time limit")
                                 : reply_error(reply_code::cancelled,
                                               "the run ended before this call did (" + std::string(to_string(reason)) + ")");
                if (one.started) {
                    emit(call_finished{.step = steps,
                                       .call = one.number,
                                       .name = one.proposed.name,
                                       .arguments = one.proposed.arguments,
                                       .reply = *one.reply,
                                       .took = now - call_started_at},
                         now);
                } else {
                    emit(call_denied{.step = steps,
                                     .call = one.number,
                                     .name = one.proposed.name,
                                     .arguments = one.proposed.arguments,
                                     .reply = *one.reply},
                         now);
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
