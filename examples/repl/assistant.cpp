#include "assistant.hpp"

#include "instructions.hpp"
#include "json_report.hpp"
#include "model_check.hpp"

#include <pyaichat/agent/on.hpp>
#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/provider/offline.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_call_line = 100;

ai::limits limits_for(const options& chosen) {
    ai::limits out;
    if (chosen.max_steps) {
        out.max_steps = *chosen.max_steps;
    }
    if (chosen.timeout) {
        out.total_timeout = *chosen.timeout;
        // More time than usual is more for each model call too, in the same proportion.
        out.step_timeout = std::min(out.total_timeout, std::max(out.step_timeout, out.total_timeout * 2 / 5));
    }
    return out;
}

std::string say_call(const std::string& name, const ai::json& arguments) {
    return "· " + printable(ai::one_line(ai::describe_call(name, arguments), longest_call_line));
}

/// "0.4 ms", "1.20 s".
std::string say_time(ai::duration took) {
    const double ms = milliseconds(took);
    char text[32];
    std::snprintf(text, sizeof text, ms < 1000 ? "%.1f ms" : "%.2f s", ms < 1000 ? ms : ms / 1000);
    return text;
}

std::string say_error(const ai::capability_reply& reply) {
    return reply.ok() ? std::string() : " " + std::string(to_string(reply.code));
}

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\n\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

/// Shows a run while it goes on, and keeps what it has shown of the last step, so that the answer is not printed twice.
class run_view {
public:
    explicit run_view(screen& screen) : screen_(screen) {}

    void show(const ai::event& happened) {
        if (happened.as<ai::step_started>() != nullptr) {
            if (!trim(shown_).empty()) {
                commentary_ = shown_;
            }
            shown_.clear();
        } else if (const auto* delta = happened.as<ai::text_delta>()) {
            shown_ += delta->text;
            screen_.out(printable(delta->text));
        } else if (const auto* withdrawn = happened.as<ai::step_withdrawn>()) {
            if (!shown_.empty()) {
                screen_.aside("· this text is withdrawn: " + printable(ai::one_line(withdrawn->why, 160)));
            }
            shown_.clear();
        } else if (const auto* finished = happened.as<ai::call_finished>()) {
            screen_.aside(say_call(finished->name, finished->arguments) + " " + say_time(finished->took) + say_error(finished->reply));
        } else if (const auto* denied = happened.as<ai::call_denied>()) {
            screen_.aside(say_call(denied->name, denied->arguments) + " not run:" + say_error(denied->reply));
        } else if (const auto* retry = happened.as<ai::retry_scheduled>()) {
            screen_.aside("· again in " + ai::describe(retry->delay) + ": " + printable(ai::one_line(retry->why, 160)));
        }
    }

    /// Shows of the answer what was not seen yet.
    void finish(const ai::answer& reply) {
        std::string_view text = trim(reply.text);
        // A run that was stopped repeats what the model said beside its last calls, perhaps some steps ago.
        if (const std::string_view before = trim(commentary_); reply.degraded() && trim(shown_).empty() && text.starts_with(before)) {
            text.remove_prefix(before.size());
        } else if (const std::string_view seen = trim(shown_); text.starts_with(seen)) {
            text.remove_prefix(seen.size());
        }
        if (!trim(text).empty()) {
            screen_.fresh_line();
            screen_.out(printable(trim(text)));
        }
        screen_.fresh_line();
        if (reply.degraded()) {
            screen_.aside("· degraded: " + std::string(to_string(reply.reason)));
        }
    }

private:
    screen& screen_;
    std::string shown_;       // in this step
    std::string commentary_;  // in the last step before it that said anything
};

exit_status status_of(const ai::answer& reply) {
    if (reply.reason == ai::stop_reason::misconfigured) {
        return exit_status::error;
    }
    return reply.degraded() ? exit_status::degraded : exit_status::complete;
}

}  // namespace

assistant::assistant(const options& chosen, const provider_choice& provider, python_runner& python, screen& screen, log_file& log)
    : options_(chosen), provider_(provider), python_(python), screen_(screen), log_(log), agent_(make_agent()) {}

ai::agent assistant::make_agent() const {
    ai::any_provider provider = provider_.gemini ? ai::any_provider(ai::gemini(*provider_.gemini)) : ai::any_provider(ai::offline());
    return ai::agent(std::move(provider), ai::any_capabilities(ai::python::session(python_.session())),
                     ai::agent_options{.instructions = instructions, .limits = limits_for(options_)});
}

ai::result<void> assistant::use_model(const std::string& model) {
    if (!provider_.gemini) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = "There is no model to choose: the offline provider answers."};
    }
    ai::gemini_options wanted = *provider_.gemini;
    wanted.model = model;
    if (std::string why = refuse_model(wanted); !why.empty()) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = std::move(why)};
    }
    provider_.gemini = std::move(wanted);
    provider_.name = model;
    agent_ = make_agent();
    return {};
}

void assistant::remember(bool on) {
    remembers_ = on;
    history_ = {};
}

ai::answer assistant::run_to_its_end(const std::string& question, ai::on observers) {
    // The run is cancelled first: a call that was interrupted would otherwise be one more reply, and the run would go on.
    const interrupts::hold_back until_cancelled;
    static_cast<void>(interrupts::take());
    ai::run run = agent_.ask(ai::run_request{.question = question, .history = history_}, std::move(observers));
    while (run.wait_for(20ms) != ai::progress::done) {
        if (interrupts::take()) {
            run.cancel();
            python_.interrupt();
        }
    }
    return run.reply();
}

exit_status assistant::ask(const std::string& question) {
    run_view view(screen_);
    const auto started = std::chrono::steady_clock::now();
    const ai::answer reply = run_to_its_end(question, ai::on([&](const ai::event& happened) {
                                                log_.write(happened);
                                                if (!screen_.for_machines()) {
                                                    view.show(happened);
                                                }
                                            }));
    if (screen_.for_machines()) {
        screen_.report(json_report(reply, std::chrono::steady_clock::now() - started));
    } else {
        view.finish(reply);
    }
    if (!log_.gap().empty() && !std::exchange(gap_said_, true)) {
        screen_.err("pyaichat: " + log_.gap() + "\n");
    }
    if (remembers_) {
        history_ = reply.messages;
    }
    return status_of(reply);
}

}  // namespace repl
