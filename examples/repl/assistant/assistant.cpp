#include "assistant/assistant.hpp"

#include "assistant/context_report.hpp"
#include "assistant/event_text.hpp"
#include "assistant/instructions.hpp"
#include "assistant/json_report.hpp"
#include "assistant/model_check.hpp"
#include "assistant/price_choice.hpp"
#include "assistant/problem_text.hpp"
#include "assistant/run_view.hpp"
#include "assistant/secrets.hpp"

#include <pyaichat/agent/on.hpp>
#include <pyaichat/provider/priced.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

ai::limits limits_for(const options& chosen) {
    ai::limits out;
    if (chosen.max_steps) {
        out.max_steps = *chosen.max_steps;
    }
    if (chosen.timeout || chosen.shell) {
        out.total_timeout = chosen.timeout.value_or(std::chrono::minutes(5));
        // Scale the time for one model call with the total time.
        out.step_timeout =
            std::min(out.total_timeout, chosen.timeout ? std::max(out.step_timeout, out.total_timeout * 2 / 5) : out.step_timeout);
    }
    out.max_cost = chosen.max_cost.value_or(out.max_cost);
    return out;
}

exit_status status_of(const ai::answer& reply) {
    if (reply.reason == ai::stop_reason::misconfigured) {
        return exit_status::error;
    }
    return reply.degraded() ? exit_status::degraded : exit_status::complete;
}

}  // namespace

assistant::assistant(const options& chosen, const ai::provider_choice& provider, const assistant_parts& parts)
    : options_(chosen),
      provider_(provider),
      python_(parts.python),
      plugins_(parts.plugins),
      approval_(parts.approval),
      screen_(parts.out),
      log_(parts.log),
      prices_(parts.prices),
      shell_(parts.shell),
      attached_(parts.attached),
      agent_(make_agent()) {}

ai::agent assistant::make_agent() const {
    ai::any_provider provider = ai::make_provider(provider_);
    if (const auto price = price_of(provider_, prices_)) {
        provider = ai::priced(std::move(provider), *price);
    }
    ai::any_capabilities capabilities = attached_ ? ai::any_capabilities{ai::python::attached_process(*attached_)}
                                                  : ai::any_capabilities{ai::python::session(python_.session()),
                                                                         last_entry_capability(python_.session(), python_.record(), last_)};
    ai::agent_options options{.instructions = system_instruction(),
                              .limits = limits_for(options_),
                              .approval = [&by = approval_](const ai::proposed_call& call) { return by.decide(call); }};
    if (shell_.is_on()) {
        if (const auto added = capabilities.add(shell_.source()); !added) {
            screen_.err("the assistant runs no commands: " + say_problem(added.error()) + "\n");
        }
    }
    if (const auto joined = plugins_.join(capabilities, options); !joined) {
        screen_.err("the plugins are left out: " + say_problem(joined.error()) + "\n");
    }
    return ai::agent(std::move(provider), std::move(capabilities), std::move(options));
}

std::string assistant::system_instruction() const {
    return std::string(attached_ ? attached_instructions : instructions) + (shell_.is_on() ? shell_instructions : "");
}

ai::result<void> assistant::use_model(const std::string& model) {
    if (!provider_.is_model()) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = "The offline provider has no models to choose from."};
    }
    ai::provider_choice wanted = provider_;
    (wanted.gemini ? wanted.gemini->model : wanted.openai ? wanted.openai->model : wanted.anthropic->model) = model;
    wanted.name = model;
    if (auto affordable = check_max_cost(options_, wanted, prices_); !affordable) {
        return affordable;
    }
    if (std::string why = wanted.gemini ? refuse_model(*wanted.gemini) : std::string(); !why.empty()) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = std::move(why)};
    }
    provider_ = std::move(wanted);
    agent_ = make_agent();
    return {};
}

std::string assistant::who_answers() const {
    return provider_.gemini      ? "Gemini, " + printable(provider_.name)
           : provider_.openai    ? provider_.openai->profile.name + ", " + printable(provider_.name)
           : provider_.anthropic ? "Anthropic, " + printable(provider_.name)
                                 : "the offline provider (not a language model)";
}

std::string assistant::without_key(std::string text) const {
    if (const std::string key = provider_.api_key(); !key.empty()) {
        redact(text, key);
    }
    return text;
}

std::string assistant::trace() const {
    return last_events_.empty() ? "nothing was asked yet\n" : without_key(trace_of(last_events_));
}

std::string assistant::context() {
    return without_key(
        "to " + who_answers() + "\n" +
        context_report(system_instruction(), agent_.capabilities().specs().value_or(ai::capability_list()).specs(), memory_.history()));
}

void assistant::settle_what_waits(ai::run& run) {
    const auto rulings = approval_.settle(run.pending());
    if (!rulings || !run.resume(*rulings)) {
        run.cancel();
    }
}

ai::answer assistant::run_to_its_end(const ai::run_request& request, ai::on observers, run_view& view) {
    // Ctrl-C has to cancel the run before it interrupts Python: otherwise the interrupted call replies and the run continues.
    const interrupts::defer_python until_cancelled;
    static_cast<void>(interrupts::take());
    ai::run run = agent_.ask(request, std::move(observers));
    for (ai::progress reached = run.wait_for(20ms); reached != ai::progress::done; reached = run.wait_for(20ms)) {
        view.tick(std::chrono::steady_clock::now());
        if (interrupts::take()) {
            run.cancel();
            python_.interrupt();
        } else if (reached == ai::progress::awaiting_approval) {
            settle_what_waits(run);
        }
    }
    return run.reply();
}

void assistant::keep(const std::string& question, const ai::answer& reply, const ai::conversation& sent, ai::duration took) {
    last_ = {.question = question, .answer = reply.text};
    last_events_ = reply.events;
    memory_.add(question, reply, sent);
    costs_.add(printable(provider_.name), reply.usage, took, reply.cost);
}

exit_status assistant::ask(const std::string& question) {
    const auto started = std::chrono::steady_clock::now();
    run_view view(screen_, {printable(provider_.name), limits_for(options_).max_steps, started}, provider_.is_model());
    if (const auto sentence = attached_ ? std::nullopt : python_.busy(); sentence && !screen_.for_machines()) {
        screen_.notice("· Python is busy: answers come from memory, as far as they can");
    }
    const ai::conversation sent = memory_.history();
    const ai::answer reply = run_to_its_end({.question = question, .history = sent}, ai::on([&](const ai::event& happened) {
                                                log_.write(happened);
                                                if (!screen_.for_machines()) {
                                                    view.show(happened);
                                                }
                                            }),
                                            view);
    const ai::duration took = std::chrono::steady_clock::now() - started;
    if (screen_.for_machines()) {
        screen_.report(json_report(reply, took));
    } else {
        view.finish(reply);
        if (screen_.is_terminal() && reply.usage.total() > 0) {
            screen_.notice("· " + say_usage(reply.usage, took, reply.cost));
        }
    }
    if (!log_.gap().empty() && !std::exchange(gap_said_, true)) {
        screen_.err("pyaichat: " + log_.gap() + "\n");
    }
    code_blocks_ = view.code_blocks();
    keep(question, reply, sent, took);
    return status_of(reply);
}

}  // namespace repl
