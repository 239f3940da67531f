#include "assistant/run_view.hpp"

#include "assistant/event_text.hpp"

#include <pyaichat/core/text.hpp>

#include <string_view>

namespace repl {

void run_view::show(const ai::event& happened) {
    if (happened.as<ai::step_started>() != nullptr) {
        if (!ai::detail::trimmed(shown_).empty()) {
            commentary_ = shown_;
        }
        shown_.clear();
    } else if (const auto* delta = happened.as<ai::text_delta>()) {
        shown_ += delta->text;
        screen_.out(printable(delta->text));
    } else if (const auto* withdrawn = happened.as<ai::step_withdrawn>()) {
        if (!shown_.empty()) {
            screen_.notice("· this text was withdrawn: " + printable(ai::detail::one_line(withdrawn->why, 160)));
        }
        shown_.clear();
    } else if (const auto* finished = happened.as<ai::call_finished>()) {
        screen_.notice(say_call(finished->name, finished->arguments) + " " + say_time(finished->took) + say_error(finished->reply));
    } else if (const auto* denied = happened.as<ai::call_denied>()) {
        screen_.notice(say_call(denied->name, denied->arguments) + " not run:" + say_error(denied->reply));
    } else if (const auto* retry = happened.as<ai::retry_scheduled>()) {
        screen_.notice("· retry in " + ai::describe(retry->delay) + ": " + printable(say_retry_reason(retry->why)));
    }
}

void run_view::finish(const ai::answer& reply) {
    std::string_view text = ai::detail::trimmed(reply.text);
    // The answer of a stopped run repeats the last commentary, which is already on the screen.
    if (const std::string_view before = ai::detail::trimmed(commentary_);
        reply.degraded() && ai::detail::trimmed(shown_).empty() && text.starts_with(before)) {
        text.remove_prefix(before.size());
    } else if (const std::string_view seen = ai::detail::trimmed(shown_); text.starts_with(seen)) {
        text.remove_prefix(seen.size());
    }
    if (!ai::detail::trimmed(text).empty()) {
        screen_.fresh_line();
        screen_.out(printable(ai::detail::trimmed(text)));
    }
    screen_.fresh_line();
    if (reply.degraded()) {
        screen_.notice("· degraded: " + std::string(to_string(reply.reason)));
    }
}

}  // namespace repl
