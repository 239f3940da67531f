#include "shell/exec/exec_arguments.hpp"

#include <pyaichat/core/env.hpp>

#include <algorithm>
#include <map>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

failure misfit(std::string hint) {
    return {.code = errc::invalid_argument, .message = hint, .hint = std::move(hint)};
}

json text_parameter(const char* description) {
    return {{"type", "string"}, {"description", description}};
}

/// The reply must arrive before the run gives up the call, which knows nothing of the output.
constexpr auto spare_time = std::chrono::seconds(2);

}  // namespace

capability_spec exec_spec(const shell_options& options) {
    const bool has_shell = !options.shell.empty();
    json properties = {
        {"cwd", text_parameter("the folder to run it in, absolute or relative to the usual one")},
        {"timeout_ms", {{"type", "integer"}, {"minimum", 1}, {"description", "milliseconds; at most " + describe(options.timeout)}}},
        {"stdin", text_parameter("the standard input; empty if it is left out")},
    };
    if (has_shell) {
        properties["command"] = text_parameter("the command line");
        properties["command"]["minLength"] = 1;
    } else {
        properties["argv"] = {{"type", "array"},
                              {"items", {{"type", "string"}}},
                              {"minItems", 1},
                              {"description", "the program and its arguments; no shell reads them"}};
    }
    return {.name = options.name,
            .description = (has_shell ? "Runs a command with " + options.shell.front() : std::string("Runs a program")) +
                           " and returns what it printed and how it ended. Nobody can type an input. The middle of a long output is left "
                           "out. Processes in the background end with the command.",
            .parameters = {{"type", "object"}, {"properties", properties}, {"required", {has_shell ? "command" : "argv"}}},
            .effects = effects::once,
            .from = provenance::host,
            .timeout = options.timeout + spare_time,
            .headline = options.pty ? "output" : "stdout",
            .origin = "shell"};
}

result<exec_arguments> read_exec_arguments(const shell_options& options, const json& arguments) {
    exec_arguments out{.program = options.shell};
    if (const auto command = string_member(arguments, "command"); command && !options.shell.empty()) {
        out.program.emplace_back(*command);
    } else if (const json* words = find_member(arguments, "argv"); words != nullptr && words->is_array() && options.shell.empty()) {
        for (const json& word : *words) {
            out.program.emplace_back(as_string(word).value_or(""));
        }
    }
    if (out.program.size() == options.shell.size() || out.program.front().empty()) {
        return misfit(options.shell.empty() ? "`argv` must name a program." : "`command` must be a text.");
    }
    if (const auto cwd = string_member(arguments, "cwd")) {
        out.cwd = *cwd;
    }
    if (const auto timeout = integer_member(arguments, "timeout_ms")) {
        out.timeout = std::chrono::milliseconds(std::clamp<std::int64_t>(*timeout, 1, 86'400'000));
    }
    if (const auto input = string_member(arguments, "stdin")) {
        out.input = *input;
    }
    const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
    if (std::any_of(out.program.begin(), out.program.end(), has_nul) || (out.cwd && has_nul(*out.cwd))) {
        return misfit("A command cannot contain the character U+0000.");
    }
    return out;
}

std::vector<std::string> exec_environment(const shell_options& options) {
    std::map<std::string, std::string> variables = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}};
    std::vector<std::string> names = {"PATH", "HOME", "LANG", "USER", "TZ"};
    names.insert(names.end(), options.pass.begin(), options.pass.end());
    for (const std::string& name : names) {
        if (std::string value = env(name.c_str()); !value.empty()) {
            variables[name] = std::move(value);
        }
    }
    variables["TERM"] = "dumb";
    variables["PAGER"] = "cat";  // a pager would wait for keys at the terminal
    variables["GIT_PAGER"] = "cat";
    for (const auto& [name, value] : options.variables) {
        variables[name] = value;
    }
    std::vector<std::string> out;
    for (const auto& [name, value] : variables) {
        out.push_back(name + "=" + value);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
