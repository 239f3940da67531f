#include "jobs.hpp"

#include "python/script_file.hpp"
#include "terminal/plain_editor.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace repl {

namespace {

exit_status status_of(const ai::python::outcome& outcome) {
    using ai::python::ending;
    const bool succeeded = outcome.ending == ending::done || (outcome.ending == ending::exited && outcome.exit_status == 0);
    return succeeded ? exit_status::complete : exit_status::error;
}

exit_status run_code(python_runner& python, std::string code, std::string name) {
    return status_of(python.run(std::move(code), ai::python::run_mode::statements, std::move(name)));
}

/// The status that `python3` would end with.
exit_status script_status(const ai::python::outcome& outcome) {
    if (outcome.ending == ai::python::ending::exited) {
        return static_cast<exit_status>(outcome.exit_status);
    }
    const bool interrupted = outcome.exception && outcome.exception->exc_type == "KeyboardInterrupt";
    return interrupted ? exit_status::interrupted : status_of(outcome);
}

exit_status run_script(const options& chosen, bool alone, python_runner& python, screen& screen) {
    auto code = read_script(chosen.script);
    if (!code) {
        screen.err("pyaichat: " + code.error().message + "\n");
        return alone ? exit_status::usage : exit_status::error;
    }
    if (const exit_status prepared = run_code(python, script_setup(chosen.script), "<start>"); prepared != exit_status::complete) {
        return prepared;
    }
    const ai::python::outcome outcome = python.run_script(*std::move(code), chosen.script, !asks_lines(chosen));
    if (alone) {
        return script_status(outcome);
    }
    if (outcome.ending == ai::python::ending::exited && outcome.exit_status != 0) {
        screen.err(chosen.script + " exited with status " + std::to_string(outcome.exit_status) + "\n");
    }
    return status_of(outcome);
}

exit_status ask_lines(assistant& assistant, entry_editor& lines) {
    exit_status worst = exit_status::complete;
    for (;;) {
        const entry line = lines.read_input("");
        if (line.what != entry::kind::text) {
            return worst;
        }
        if (!ai::detail::is_blank(line.text)) {
            worst = worse(worst, assistant.ask(line.text));
        }
    }
}

}  // namespace

bool asks_lines(const options& chosen) {
    return std::any_of(chosen.jobs.begin(), chosen.jobs.end(), [](const job& job) { return job.what == job::kind::ask_lines; });
}

exit_status run_jobs(const options& chosen, bool prompting, python_runner& python, assistant& assistant, screen& screen) {
    exit_status worst = exit_status::complete;
    if (!chosen.script.empty()) {
        worst = run_script(chosen, !prompting && chosen.jobs.empty(), python, screen);
    }
    for (const job& job : chosen.jobs) {
        screen.fresh_line();
        switch (job.what) {
            case job::kind::exec: worst = worse(worst, run_code(python, job.text, "<exec>")); break;
            case job::kind::ask: worst = worse(worst, assistant.ask(job.text)); break;
            case job::kind::ask_lines: worst = worse(worst, ask_lines(assistant, *make_plain_editor(false))); break;
        }
    }
    return worst;
}

}  // namespace repl
