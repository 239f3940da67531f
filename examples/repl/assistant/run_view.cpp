#include "assistant/run_view.hpp"

#include "assistant/event_text.hpp"

#include <pyaichat/core/text.hpp>

#include <chrono>
#include <string_view>
#include <utility>

namespace repl {

namespace {

/// A terminal shows so many calls of a step; the others are counted.
constexpr int most_shown_calls = 6;
/// The output of a call waits so long for the end of the call.
constexpr auto output_delay = std::chrono::milliseconds(200);

}  // namespace

void run_view::show(const ai::event& happened) {
    status_.see(happened, std::chrono::steady_clock::now());
    if (happened.as<ai::step_started>() != nullptr) {
        end_step();
        if (!ai::detail::trimmed(shown_).empty()) {
            commentary_ = shown_;
        }
        shown_.clear();
    } else if (const auto* delta = happened.as<ai::text_delta>()) {
        shown_ += delta->text;
        screen_.out(markdown_.feed(delta->text));
    } else if (const auto* withdrawn = happened.as<ai::step_withdrawn>()) {
        end_text();
        if (!shown_.empty()) {
            screen_.notice("· this text was withdrawn: " + printable(ai::detail::one_line(withdrawn->why, 160)));
        }
        shown_.clear();
    } else if (const auto* started = happened.as<ai::call_started>()) {
        call_line_ = say_call(started->name, started->arguments);
        call_started_ = std::chrono::steady_clock::now();
    } else if (const auto* output = happened.as<ai::call_output>()) {
        if (output_shown_) {
            show_output(output->text);
        } else {
            waiting_output_ += output->text;
        }
    } else if (const auto* finished = happened.as<ai::call_finished>()) {
        finish_call(*finished);
    } else if (const auto* denied = happened.as<ai::call_denied>()) {
        show_call(say_call(denied->name, denied->arguments) + " not run:" + say_error(denied->reply));
    } else if (const auto* retry = happened.as<ai::retry_scheduled>()) {
        end_text();
        screen_.notice("· retry in " + ai::describe(retry->delay) + ": " + printable(say_retry_reason(retry->why)));
    }
}

void run_view::tick(wait_status::time_point now) {
    if (!waiting_output_.empty() && !output_shown_ && now - call_started_ >= output_delay) {
        show_call(call_line_);
        output_shown_ = true;
        show_output(std::exchange(waiting_output_, {}));
    }
    const std::size_t columns = screen_.columns();
    // A line that wraps could not be erased.
    screen_.status(ai::detail::one_row(status_.line(now), columns > 8 ? columns - 4 : 76));
}

void run_view::show_call(const std::string& line) {
    end_text();
    if (++calls_in_step_ <= most_shown_calls || !screen_.is_terminal()) {
        screen_.notice(line);
    }
}

void run_view::show_output(const std::string& text) {
    screen_.out(output_.feed(text));
}

void run_view::finish_call(const ai::call_finished& call) {
    const std::string end = say_time(call.took) + say_error(call.reply) + say_end(call.reply);
    if (output_shown_) {
        screen_.out(output_.finish());
        screen_.notice("  " + call.name + " " + end);
    } else {
        show_call(say_call(call.name, call.arguments) + " " + end);
        show_output(waiting_output_);
        screen_.out(output_.finish());
    }
    waiting_output_.clear();
    output_shown_ = false;
}

/// Shows what the Markdown view holds back: other output follows.
void run_view::end_text() {
    screen_.out(markdown_.finish());
}

void run_view::end_step() {
    end_text();
    if (const int more = std::exchange(calls_in_step_, 0) - most_shown_calls; more > 0 && screen_.is_terminal()) {
        screen_.notice("· " + ai::detail::counted(more, "more call") + ", /trace shows them");
    }
}

void run_view::finish(const ai::answer& reply) {
    screen_.status("");
    end_step();
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
        // The loop's own text about an early end quotes values: it is not Markdown.
        screen_.out(reply.degraded() ? printable(ai::detail::trimmed(text)) : markdown_.feed(ai::detail::trimmed(text)));
        end_text();
    }
    screen_.fresh_line();
    if (reply.degraded()) {
        const std::string why = reply.error ? ": " + printable(ai::detail::one_line(reply.error->message, 300)) : std::string();
        screen_.notice("· degraded: " + std::string(to_string(reply.reason)) + why);
    }
}

}  // namespace repl
