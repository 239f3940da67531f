#include "assistant/assistant.hpp"
#include "assistant/call_approval.hpp"
#include "assistant/dotenv.hpp"
#include "assistant/emulate.hpp"
#include "assistant/log_file.hpp"
#include "assistant/model_check.hpp"
#include "assistant/price_choice.hpp"
#include "assistant/problem_text.hpp"
#include "editor/terminal_editor.hpp"
#include "jobs.hpp"
#include "options.hpp"
#include "plugins/plugin_command.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_environment.hpp"
#include "python/python_runner.hpp"
#include "python/script_file.hpp"
#include "python/typed_input.hpp"
#include "terminal/console.hpp"
#include "terminal/history_files.hpp"
#include "terminal/interrupts.hpp"
#include "terminal/plain_editor.hpp"
#include "terminal/screen.hpp"
#include "terminal/standard_descriptors.hpp"
#include "terminal/terminal_question.hpp"
#include "usage.hpp"

#include <pyaichat/config/version.hpp>

#include <unistd.h>

#include <langinfo.h>
#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace {

using namespace repl;

/// The terminal shows UTF-8: use C.UTF-8 if the user's locale is another one, for Python and for C code that it loads.
void use_utf8() {
    std::setlocale(LC_CTYPE, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        std::setlocale(LC_CTYPE, "C.UTF-8");
    }
}

int fail(const std::string& sentence, exit_status status) {
    std::fprintf(stderr, "pyaichat: %s\n", sentence.c_str());
    return static_cast<int>(status);
}

int print(const char* text) {
    std::fputs(text, stdout);
    return std::fflush(stdout) == 0 ? 0
                                    : fail(std::string("standard output cannot be written: ") + std::strerror(errno), exit_status::error);
}

bool at_terminal() {
    return ::isatty(0) == 1 && ::isatty(1) == 1;
}

/// Checks the names of `--allow` at start: a typing error would otherwise show only when the model makes the call.
std::optional<std::string> unknown_allowed(const options& chosen, const ai::python::session& session, const plugin_set& plugins) {
    std::vector<std::string> known = plugins.capabilities();
    const auto declared = session.specs().value_or(ai::capability_list());
    for (const ai::capability_spec& spec : declared) {
        known.push_back(spec.name);
    }
    if (chosen.shell) {
        known.emplace_back("exec");
    }
    return refuse_unknown(chosen.allow, known);
}

/// With questions on the command line, the program exits after the last answer.
bool has_questions(const options& chosen) {
    return std::any_of(chosen.jobs.begin(), chosen.jobs.end(), [](const job& job) { return job.what != job::kind::exec; });
}

/// Prints the problems. Returns whether there are none.
bool report_problems(const std::vector<ai::failure>& problems) {
    for (const ai::failure& problem : problems) {
        std::fprintf(stderr, "pyaichat: %s\n", say_problem(problem).c_str());
    }
    return problems.empty();
}

/// Lets Python import as `python3` does, from the script's folder or the working folder, and from the environment.
ai::python::interpreter_options python_options(const options& chosen, const python_environment& environment, screen& screen) {
    std::vector<std::string> arguments = {chosen.script};
    arguments.insert(arguments.end(), chosen.script_arguments.begin(), chosen.script_arguments.end());
    return {.isolated = chosen.safe_path,
            .arguments = std::move(arguments),
            .import_folders = {chosen.script.empty() ? std::string() : script_folder(chosen.script)},
            .virtual_environment = environment.folder,
            .standard_streams = true,
            .background_output = [&screen](ai::python::output_stream stream, std::string_view text) {
                stream == ai::python::output_stream::out ? screen.out(text) : screen.err(text);
            }};
}

python_environment choose_environment(const options& chosen) {
    std::error_code error;
    return chosen.safe_path ? python_environment()
                            : find_environment(ai::process_environment("VIRTUAL_ENV"), std::filesystem::current_path(error),
                                               ai::python::interpreter::version());
}

struct greeting {
    std::string python;
    std::string environment;
    std::string provider;
    std::string notice;
    bool dumb_terminal;
};

void greet(screen& screen, const greeting& about) {
    screen.notice(std::string("PyAIChat ") + PYAICHAT_VERSION_STRING + " · Python " + about.python + " · " + about.provider +
                  (about.dumb_terminal ? " · /mode" : " · TAB") + ": Python or assistant · /help");
    if (!about.environment.empty()) {
        screen.notice("virtual environment " + about.environment);
    }
    if (!about.notice.empty()) {
        screen.notice(about.notice);
    }
}

int run_program(const options& chosen) {
    const dotenv_file dotenv = read_dotenv(".env");
    if (!dotenv.problem.empty()) {
        std::fprintf(stderr, "pyaichat: %s\n", dotenv.problem.c_str());
    }
    auto provider = ai::choose_provider(chosen.provider, ai::process_environment, dotenv.values);
    if (!provider) {
        return fail(provider.error().message, exit_status::usage);
    }
    const auto prices = read_prices(chosen.prices);
    if (!prices) {
        return fail(prices.error().message, exit_status::usage);
    }
    if (const auto affordable = check_max_cost(chosen, *provider, *prices); !affordable) {
        return fail(affordable.error().message, exit_status::usage);
    }
    const bool terminal = at_terminal();
    const bool has_work = !chosen.jobs.empty() || !chosen.script.empty();
    const bool prompting = !has_questions(chosen) && (terminal || !has_work);
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal_name = std::getenv("TERM");
    const bool dumb = terminal_name == nullptr || std::strcmp(terminal_name, "") == 0 || std::strcmp(terminal_name, "dumb") == 0;
    const bool color = !chosen.no_color && !dumb && (no_color == nullptr || *no_color == '\0');
    screen screen({.for_machines = chosen.json, .color = color});
    log_file log;
    if (!chosen.log_file.empty()) {
        if (auto opened = log.open(chosen.log_file, {provider->api_key()}); !opened) {
            return fail(opened.error().message, exit_status::usage);
        }
    }
    if (chosen.expressions == ai::python::eval_policy::snapshot && ai::python::default_eval_policy() != *chosen.expressions) {
        return fail("--eval-policy snapshot: this system cannot make snapshots; use structural, ask or unrestricted", exit_status::usage);
    }
    std::optional<ai::python::attached_process> attached;
    if (chosen.attach) {
        auto process = ai::python::attach(*chosen.attach);
        if (!process) {
            return fail(say_problem(process.error()), exit_status::error);
        }
        attached = *std::move(process);
        screen.notice("questions are about " + attached->name());
    }
    interrupts::install();
    if (prompting && terminal && provider->is_model()) {
        const model_check check = provider->gemini   ? check_model(*provider->gemini)
                                  : provider->openai ? check_model(*provider->openai)
                                                     : check_model(*provider->anthropic);
        if (!check.usable) {
            return fail(check.remark, exit_status::usage);
        }
        if (!check.remark.empty()) {
            screen.notice(check.remark);
        }
    }
    const python_environment environment = choose_environment(chosen);
    if (!environment.problem.empty()) {
        screen.err("pyaichat: " + environment.problem + "\n");
    }
    auto python = ai::python::interpreter::start(python_options(chosen, environment, screen));
    if (!python) {
        return fail(python.error().message, exit_status::error);
    }
    const interrupts::python_target target(*python);
    ai::python::session_options session_options;
    session_options.expressions = chosen.expressions.value_or(session_options.expressions);
    python_runner runner(*python, screen, session_options);
    runner.set_colors(color && ::isatty(2) == 1);
    plugin_set plugins(screen, runner);
    // A person can correct a file and use /reload. Without a terminal, every requested plugin must load.
    const bool all_loaded = report_problems(plugins.load(chosen.plugins));
    if (!all_loaded && !terminal) {
        return static_cast<int>(exit_status::usage);
    }
    if (const auto sentence = unknown_allowed(chosen, runner.session(), plugins)) {
        if (all_loaded) {
            return fail(*sentence, exit_status::usage);
        }
        std::fprintf(stderr, "pyaichat: %s\n", sentence->c_str());  // the name may belong to a plugin that did not load
    }
    command_shell shell(chosen.shell);
    call_approval approval(chosen.allow, terminal && !chosen.json ? ask_at_terminal : call_approval::asker(), screen, &shell);
    assistant assistant(chosen, *provider, {runner, plugins, approval, screen, log, *prices, shell, attached});
    console console(runner, assistant, plugins, screen);
    if (prompting && terminal) {
        greet(screen, {python->version(), environment.folder, provider->name, provider->notice, dumb});
    } else if (!provider->notice.empty() && (prompting || has_questions(chosen))) {
        screen.err(provider->notice + "\n");
    }
    const std::vector<std::string> histories = chosen.private_session ? std::vector<std::string>(2) : history_files();
    std::unique_ptr<entry_editor> editor = prompting && terminal ? make_terminal_editor(histories, color, screen) : nullptr;
    if (!editor) {
        editor = make_plain_editor(terminal);
    }
    typed_input input(*editor, terminal, screen);
    if (!chosen.json && !asks_lines(chosen)) {
        runner.set_input([&](const std::string& prompt) { return input.read(prompt); });
    }
    exit_status status = run_jobs(chosen, prompting, runner, assistant, screen);
    if (prompting) {
        const exit_status at_prompt = console.run(*editor);
        // At a terminal the person has seen the errors, so they do not count for the exit status.
        status = !terminal ? worse(status, at_prompt) : console.left_by_exit() ? at_prompt : exit_status::complete;
    }
    runner.finish();
    screen.fresh_line();
    if (screen.lost_output() || !log.gap().empty()) {
        status = worse(status, exit_status::error);
    }
    if (!runner.stop()) {
        // Python is stuck in code that cannot be interrupted: destructors would wait for it.
        std::fflush(nullptr);
        std::_Exit(static_cast<int>(status));
    }
    return static_cast<int>(status);
}

}  // namespace

int main(int count, char** arguments) {
    open_standard_descriptors();
    if (count > 1 && std::strcmp(arguments[1], "plugin") == 0) {
        return plugin_command(std::span<char* const>(arguments + 2, static_cast<std::size_t>(count - 2)));
    }
#ifdef PYAICHAT_REPL_EMULATES
    if (count > 1 && std::strcmp(arguments[1], "emulate") == 0) {
        return emulate(std::span<char* const>(arguments + 2, static_cast<std::size_t>(count - 2)));
    }
#endif
    use_utf8();
    const auto chosen = parse_options(std::span<char* const>(arguments + 1, static_cast<std::size_t>(count > 0 ? count - 1 : 0)));
    if (!chosen) {
        return fail(chosen.error().message + "\nTry 'pyaichat --help'.", exit_status::usage);
    }
    if (chosen->help) {
        return print(usage_text());
    }
    if (chosen->version) {
        return print("pyaichat " PYAICHAT_VERSION_STRING "\n");
    }
    const int status = run_program(*chosen);
    if (status == static_cast<int>(exit_status::interrupted)) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    return status;
}
