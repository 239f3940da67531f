#include "options.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace repl {

namespace {

using std::string_view;

ai::failure refuse(std::string text) {
    return {.code = ai::errc::invalid_argument, .message = std::move(text)};
}

/// Sets one option. Returns an error if the value is not valid.
using setter = std::optional<ai::failure> (*)(options&, string_view value);

std::optional<ai::failure> set_provider(options& out, string_view value) {
    if (value == "offline") {
        out.provider = provider_name::offline;
    } else if (value == "gemini") {
        out.provider = provider_name::gemini;
    } else {
        return refuse("--provider takes offline or gemini, not '" + std::string(value) + "'");
    }
    return std::nullopt;
}

std::optional<ai::failure> set_allow(options& out, string_view value) {
    while (!value.empty()) {
        const std::size_t comma = value.find(',');
        if (const string_view name = value.substr(0, comma); !name.empty()) {
            out.allow.emplace_back(name);
        }
        value = comma == string_view::npos ? string_view() : value.substr(comma + 1);
    }
    return out.allow.empty() ? std::optional(refuse("--allow takes names of capabilities, or all")) : std::nullopt;
}

std::optional<ai::failure> set_eval_policy(options& out, string_view value) {
    out.expressions = policy_named(value);
    return out.expressions
               ? std::nullopt
               : std::optional(refuse("--eval-policy takes " + std::string(policy_names) + ", not '" + std::string(value) + "'"));
}

std::optional<ai::failure> set_max_steps(options& out, string_view value) {
    int steps = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), steps);
    if (error != std::errc() || end != value.data() + value.size() || steps < 1) {
        return refuse("--max-steps takes a whole number from 1, not '" + std::string(value) + "'");
    }
    out.max_steps = steps;
    return std::nullopt;
}

std::optional<ai::failure> set_timeout(options& out, string_view value) {
    double seconds = 0;
    if (value.ends_with("s")) {
        value.remove_suffix(1);
    }
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error != std::errc() || end != value.data() + value.size() || !(seconds > 0) || seconds > 86400) {
        return refuse("--timeout takes seconds above 0, at most 86400");
    }
    out.timeout = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(seconds));
    return std::nullopt;
}

std::optional<ai::failure> set_attach(options& out, string_view value) {
    long process = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), process);
    if (error != std::errc() || end != value.data() + value.size() || process < 1) {
        return refuse("--attach takes the id of a process, not '" + std::string(value) + "'");
    }
    out.attach = process;
    return std::nullopt;
}

struct valued_option {
    string_view name;
    setter set;
};

constexpr auto valued_options = std::to_array<valued_option>({
    {"--exec",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.jobs.push_back({job::kind::exec, std::string(value)});
         return std::nullopt;
     }},
    {"--ask",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.jobs.push_back({value == "-" ? job::kind::ask_lines : job::kind::ask, std::string(value)});
         return std::nullopt;
     }},
    {"--provider", set_provider},
    {"--model",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.model = value;
         return value.empty() ? std::optional(refuse("--model takes the name of a model")) : std::nullopt;
     }},
    {"--attach", set_attach},
    {"--allow", set_allow},
    {"--eval-policy", set_eval_policy},
    {"--max-steps", set_max_steps},
    {"--timeout", set_timeout},
    {"--log",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.log_file = value;
         return value.empty() ? std::optional(refuse("--log takes a file")) : std::nullopt;
     }},
    {"--plugin",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.plugins.emplace_back(value);
         return value.empty() ? std::optional(refuse("--plugin takes a file or a folder")) : std::nullopt;
     }},
});

struct switch_option {
    string_view name;
    bool options::* flag;
};

constexpr auto switches = std::to_array<switch_option>({
    {"--json", &options::json},
    {"--no-color", &options::no_color},
    {"--private", &options::private_session},
    {"--help", &options::help},
    {"-h", &options::help},
    {"--version", &options::version},
});

}  // namespace

std::optional<ai::python::eval_policy> policy_named(std::string_view name) noexcept {
    using ai::python::eval_policy;
    for (const eval_policy each : {eval_policy::structural, eval_policy::snapshot, eval_policy::ask, eval_policy::unrestricted}) {
        if (name == to_string(each)) {
            return each;
        }
    }
    return std::nullopt;
}

exit_status worse(exit_status left, exit_status right) noexcept {
    const auto rank = [](exit_status status) {
        switch (status) {
            case exit_status::complete: return 0;
            case exit_status::degraded: return 1;
            case exit_status::error: return 2;
            case exit_status::usage: break;
        }
        return 3;
    };
    return rank(left) >= rank(right) ? left : right;
}

ai::result<options> parse_options(std::span<char* const> arguments) {
    options out;
    bool only_files = false;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const string_view argument = arguments[at];
        if (only_files || argument.empty() || argument.front() != '-') {
            if (!out.script.empty()) {
                return refuse("only one script is allowed: '" + out.script + "' and '" + std::string(argument) + "' were given");
            }
            if (argument.empty()) {
                return refuse("an empty argument is not a script");
            }
            out.script = argument;
            continue;
        }
        if (argument == "--") {
            only_files = true;
            continue;
        }
        const std::size_t equals = argument.find('=');
        const string_view name = argument.substr(0, equals);
        bool known = false;
        for (const switch_option& option : switches) {
            if (name == option.name) {
                if (equals != string_view::npos) {
                    return refuse(std::string(name) + " takes no value");
                }
                out.*option.flag = true;
                known = true;
            }
        }
        for (const valued_option& option : valued_options) {
            if (name != option.name) {
                continue;
            }
            known = true;
            if (equals == string_view::npos && at + 1 == arguments.size()) {
                return refuse(std::string(name) + " needs a value");
            }
            const string_view value = equals != string_view::npos ? argument.substr(equals + 1) : string_view(arguments[++at]);
            if (auto error = option.set(out, value)) {
                return *std::move(error);
            }
        }
        if (!known) {
            return refuse("unknown option '" + std::string(name) + "'");
        }
    }
    return out;
}

}  // namespace repl
