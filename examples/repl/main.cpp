#include "assistant.hpp"
#include "console.hpp"
#include "emulate.hpp"
#include "history_files.hpp"
#include "interrupts.hpp"
#include "line_editor.hpp"
#include "log_file.hpp"
#include "model_check.hpp"
#include "options.hpp"
#include "provider_choice.hpp"
#include "python_runner.hpp"
#include "screen.hpp"
#include "script_file.hpp"
#include "standard_descriptors.hpp"

#include <pyaichat/config/version.hpp>

#include <unistd.h>

#include <langinfo.h>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace repl;

/// libedit works with characters: where the locale knows only bytes, at least the C one with UTF-8 is there.
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

int say(const char* text) {
    std::fputs(text, stdout);
    return std::fflush(stdout) == 0 ? 0
                                    : fail(std::string("standard output cannot be written: ") + std::strerror(errno), exit_status::error);
}

bool at_terminal() {
    return ::isatty(0) == 1 && ::isatty(1) == 1;
}

/// The names after `--allow` have to exist: a slip would otherwise show only when the model wants the call.
std::string unknown_allowed(const options& chosen, const ai::python::session& session) {
    for (const std::string& name : chosen.allow) {
        bool known = name == "all";
        for (const ai::capability_spec& one : session.specs()) {
            known = known || one.name == name;
        }
        if (!known) {
            return name;
        }
    }
    return {};
}

exit_status status_of(const ai::python::outcome& came) {
    using ai::python::ending;
    const bool well = came.ending == ending::done || (came.ending == ending::exited && came.exit_status == 0);
    return well ? exit_status::complete : exit_status::error;
}

exit_status run_code(python_runner& python, std::string code, std::string name) {
    return status_of(python.run(std::move(code), ai::python::run_mode::statements, std::move(name)));
}

exit_status run_script(python_runner& python, const std::string& path, screen& screen) {
    auto code = read_script(path);
    if (!code) {
        screen.err("pyaichat: " + code.error().message + "\n");
        return exit_status::error;
    }
    if (const exit_status prepared = run_code(python, script_setup(path), "<start>"); prepared != exit_status::complete) {
        return prepared;
    }
    const ai::python::outcome came = python.run(*std::move(code), ai::python::run_mode::statements, path);
    if (came.ending == ai::python::ending::exited && came.exit_status != 0) {
        screen.err(path + " left with status " + std::to_string(came.exit_status) + "\n");
    }
    return status_of(came);
}

exit_status ask_lines(assistant& assistant, line_editor& lines, line_context& context) {
    exit_status worst = exit_status::complete;
    for (;;) {
        const entered_line line = lines.read(context);
        if (line.what != entered_line::kind::line) {
            return worst;
        }
        if (line.text.find_first_not_of(" \t") != std::string::npos) {
            worst = worse(worst, assistant.ask(line.text));
        }
    }
}

exit_status run_jobs(const options& chosen, python_runner& python, assistant& assistant, console& console, screen& screen) {
    exit_status worst = exit_status::complete;
    if (!chosen.script.empty()) {
        worst = run_script(python, chosen.script, screen);
    }
    for (const job& one : chosen.jobs) {
        screen.fresh_line();
        switch (one.what) {
            case job::kind::exec: worst = worse(worst, run_code(python, one.text, "<exec>")); break;
            case job::kind::ask: worst = worse(worst, assistant.ask(one.text)); break;
            case job::kind::ask_lines: worst = worse(worst, ask_lines(assistant, *make_plain_editor(false), console)); break;
        }
    }
    return worst;
}

/// Whether the command line asked for work to be done, after which the program leaves.
bool has_questions(const options& chosen) {
    for (const job& one : chosen.jobs) {
        if (one.what != job::kind::exec) {
            return true;
        }
    }
    return false;
}

struct greeting {
    std::string python;
    std::string provider;
    std::string notice;
    bool dumb_terminal;
};

void greet(screen& screen, const greeting& about) {
    screen.aside(std::string("PyAIChat ") + PYAICHAT_VERSION_STRING + " · Python " + about.python + " · " + about.provider +
                 (about.dumb_terminal ? " · /mode" : " · TAB") + ": Python or assistant · /help");
    if (!about.notice.empty()) {
        screen.aside(about.notice);
    }
}

int run_program(const options& chosen) {
    auto provider = choose_provider(chosen, process_environment, read_dotenv(".env"));
    if (!provider) {
        return fail(provider.error().message, exit_status::usage);
    }
    const bool terminal = at_terminal();
    const bool work_given = !chosen.jobs.empty() || !chosen.script.empty();
    const bool prompting = !has_questions(chosen) && (terminal || !work_given);
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal_name = std::getenv("TERM");
    const bool dumb = terminal_name == nullptr || std::strcmp(terminal_name, "") == 0 || std::strcmp(terminal_name, "dumb") == 0;
    screen screen({.for_machines = chosen.json, .color = !chosen.no_color && !dumb && (no_color == nullptr || *no_color == '\0')});
    log_file log;
    if (!chosen.log_file.empty()) {
        if (auto opened = log.open(chosen.log_file, {provider->gemini ? provider->gemini->api_key : std::string()}); !opened) {
            return fail(opened.error().message, exit_status::usage);
        }
    }
    interrupts::install();
    if (prompting && terminal && provider->gemini) {
        const model_check found = check_model(*provider->gemini);
        if (!found.usable) {
            return fail(found.remark, exit_status::usage);
        }
        if (!found.remark.empty()) {
            screen.aside(found.remark);
        }
    }
    auto python = ai::python::interpreter::start();
    if (!python) {
        return fail(python.error().message, exit_status::error);
    }
    const interrupts::python_target target(*python);
    python_runner runner(*python, screen);
    if (const std::string name = unknown_allowed(chosen, runner.session()); !name.empty()) {
        return fail("--allow: there is no capability " + name, exit_status::usage);
    }
    assistant assistant(chosen, *provider, runner, screen, log);
    console console(runner, assistant, screen);
    if (prompting && terminal) {
        greet(screen, {python->version(), provider->name, provider->notice, dumb});
    } else if (!provider->notice.empty()) {
        screen.err(provider->notice + "\n");
    }
    exit_status status = run_jobs(chosen, runner, assistant, console, screen);
    if (prompting) {
        std::unique_ptr<line_editor> editor = make_terminal_editor(history_files());
        if (!editor) {
            editor = make_plain_editor(terminal);
        }
        const exit_status at_prompt = console.run(*editor);
        // A person has seen what failed; only what runs without one is judged by the status.
        status = !terminal ? worse(status, at_prompt) : console.left_by_exit() ? at_prompt : exit_status::complete;
        editor->save();
    }
    screen.fresh_line();
    if (screen.lost_output() || !log.gap().empty()) {
        status = worse(status, exit_status::error);
    }
    if (!runner.settle()) {
        // Python is stuck in something that nothing stops: no destructor may wait for it.
        std::fflush(nullptr);
        std::_Exit(static_cast<int>(status));
    }
    return static_cast<int>(status);
}

}  // namespace

int main(int count, char** arguments) {
    open_standard_descriptors();
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
        return say(usage_text());
    }
    if (chosen->version) {
        return say("pyaichat " PYAICHAT_VERSION_STRING "\n");
    }
    return run_program(*chosen);
}
