#include "plugins/plugin_command.hpp"

#include "assistant/problem_text.hpp"
#include "options.hpp"
#include "plugins/plugin_report.hpp"
#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace repl {

namespace {

constexpr const char* usage = R"(usage: pyaichat plugin check FILE|DIR...
       pyaichat plugin list FILE|DIR...
       pyaichat plugin call FILE NAME [ARGUMENTS]

Tries Lua plugins without a model (docs/guide/plugins.md).

  check   loads each file, or each *.lua of a folder, and prints its declarations, or its error with file, line and correction
  list    the same with all files loaded together, as --plugin does
  call    runs one capability with ARGUMENTS, a JSON object (default {}), and prints its reply as the model would get it, as one
          line of JSON. Log messages of the plugin go to standard error. ctx.call is refused, because there is no session.

Exit status: 0 success, 1 a plugin cannot be loaded or the call has failed, 2 wrong usage.
)";

int status_of(exit_status status) {
    return static_cast<int>(status);
}

int refuse(const std::string& sentence) {
    std::fprintf(stderr, "pyaichat plugin: %s\nTry 'pyaichat plugin --help'.\n", printable(sentence).c_str());
    return status_of(exit_status::usage);
}

int print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    if (std::fflush(stdout) != 0) {
        std::fprintf(stderr, "pyaichat plugin: standard output cannot be written: %s\n", std::strerror(errno));
        return status_of(exit_status::error);
    }
    return status_of(exit_status::complete);
}

int print_problem(const ai::failure& problem) {
    std::fprintf(stderr, "%s\n", say_problem(problem).c_str());
    return status_of(exit_status::error);
}

ai::lua::plugins make_plugins() {
    return ai::lua::plugins({.notify = [](const ai::lua::notice& notice) {
        if (notice.what != ai::lua::notice::kind::broken) {  // reported by the failures
            std::fprintf(stderr, "%s: %s\n", printable(notice.plugin).c_str(), printable(notice.text).c_str());
        }
    }});
}

std::string declared_by(const ai::lua::plugins& plugins) {
    std::string text;
    for (const ai::lua::plugin_info& plugin : plugins.describe()) {
        text += plugin_declares(plugin);
    }
    return text;
}

/// Loads a file, or all files of a folder.
int load(ai::lua::plugins& plugins, const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        const auto added = plugins.add_file(path);
        return added ? status_of(exit_status::complete) : print_problem(added.error());
    }
    int status = status_of(exit_status::complete);
    for (const ai::failure& problem : plugins.add_folder(path)) {
        status = print_problem(problem);
    }
    return status;
}

int check(const std::vector<std::string>& paths) {
    if (paths.empty()) {
        return refuse("check takes files or folders");
    }
    int status = 0;
    for (const std::string& path : paths) {
        ai::lua::plugins plugins = make_plugins();
        const int loaded = load(plugins, path);
        const std::string declared = declared_by(plugins);
        if (declared.empty() && loaded == status_of(exit_status::complete)) {
            status = print_problem({.code = ai::errc::not_found, .message = path + ": there is no *.lua in it", .hint = {}});
        }
        status = std::max({status, loaded, print(declared)});
    }
    return status;
}

int list(const std::vector<std::string>& paths) {
    if (paths.empty()) {
        return refuse("list takes files or folders");
    }
    ai::lua::plugins plugins = make_plugins();
    int status = 0;
    for (const std::string& path : paths) {
        status = std::max(status, load(plugins, path));
    }
    return std::max(status, print(declared_by(plugins)));
}

int call(const std::vector<std::string>& words) {
    if (words.size() < 2 || words.size() > 3) {
        return refuse("call takes a file, the name of a capability, and at most one JSON object");
    }
    ai::json arguments = ai::json::object();
    if (words.size() == 3) {
        auto parsed = ai::parse_json(words[2]);
        if (!parsed || !parsed->is_object()) {
            return refuse("the arguments have to be a JSON object, as in '{\"id\":\"attic\"}'" +
                          (parsed ? std::string() : ": " + parsed.error().message));
        }
        arguments = *std::move(parsed);
    }
    ai::lua::plugins plugins = make_plugins();
    if (const auto added = plugins.add_file(words[0]); !added) {
        return print_problem(added.error());
    }
    std::vector<std::string> names;
    const auto declared = plugins.specs().value_or(ai::capability_list());
    for (const ai::capability_spec& spec : declared) {
        names.push_back(spec.name);
    }
    if (std::find(names.begin(), names.end(), words[1]) == names.end()) {
        const std::string_view nearest = ai::detail::nearest_name(words[1], names);
        return refuse(words[0] + " does not declare the capability " + words[1] +
                      (nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + "?"));
    }
    const ai::capability_reply reply = plugins.call(words[1], std::move(arguments));
    const int printed = print(printable_json(reply.envelope()) + "\n");
    return reply.ok() ? printed : status_of(exit_status::error);
}

struct command {
    std::string_view name;
    int (*run)(const std::vector<std::string>& words);
};

constexpr auto commands = std::to_array<command>({{"check", check}, {"list", list}, {"call", call}});

bool asks_for_help(std::string_view word) {
    return word == "--help" || word == "-h";
}

}  // namespace

int plugin_command(std::span<char* const> arguments) {
    if (arguments.empty()) {
        return refuse("name a command: check, list or call");
    }
    const std::string_view name = arguments.front();
    std::vector<std::string> words(arguments.begin() + 1, arguments.end());
    if (asks_for_help(name) || std::any_of(words.begin(), words.end(), asks_for_help)) {
        return print(usage);
    }
    for (const command& command : commands) {
        if (name != command.name) {
            continue;
        }
        for (const std::string& word : words) {
            if (word.starts_with('-')) {
                return refuse("unknown option '" + word + "'");
            }
        }
        return command.run(words);
    }
    std::vector<std::string> names;
    for (const command& command : commands) {
        names.emplace_back(command.name);
    }
    const std::string_view nearest = ai::detail::nearest_name(name, names);
    return refuse("unknown command '" + std::string(name) + "'" +
                  (nearest.empty() ? std::string("; use check, list or call") : "; did you mean " + std::string(nearest) + "?"));
}

}  // namespace repl
