#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace repl {

namespace {

using std::string_view;

ai::failure refuse(std::string text) {
    return {.code = ai::errc::invalid_argument, .message = std::move(text)};
}

/// Sets one option. Returns an error if the value is not valid.
using setter = std::optional<ai::failure> (*)(options&, string_view value);

std::optional<ai::failure> set_provider(options& out, string_view value) {
    ai::result<ai::provider_request> named = ai::provider_named(value);
    if (!named) {
        return refuse("--provider: " + named.error().message + ". " + named.error().hint);
    }
    out.provider.provider = named->provider;
    out.provider.profile = named->profile;
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

std::optional<ai::failure> set_max_cost(options& out, string_view value) {
    double amount = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), amount);
    if (error != std::errc() || end != value.data() + value.size() || !(amount >= 0.000001) || amount > 1'000'000) {
        return refuse("--max-cost takes US dollars from 0.000001 to 1000000, such as 0.50");
    }
    out.max_cost = ai::dollars(amount);
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
         out.provider.model = value;
         return value.empty() ? std::optional(refuse("--model takes the name of a model")) : std::nullopt;
     }},
    {"--attach", set_attach},
    {"--allow", set_allow},
    {"--eval-policy", set_eval_policy},
    {"--max-steps", set_max_steps},
    {"--timeout", set_timeout},
    {"--max-cost", set_max_cost},
    {"--prices",
     [](options& out, string_view value) -> std::optional<ai::failure> {
         out.prices = value;
         return value.empty() ? std::optional(refuse("--prices takes a file")) : std::nullopt;
     }},
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
    {"--shell", &options::shell},
    {"--safe-path", &options::safe_path},
    {"-P", &options::safe_path},
    {"--help", &options::help},
    {"-h", &options::help},
    {"--version", &options::version},
});

/// Sets the option that the arguments begin with. Returns the number of arguments that it has used.
ai::result<std::size_t> set_option(options& out, std::span<char* const> arguments) {
    const string_view argument = arguments.front();
    const std::size_t equals = argument.find('=');
    const string_view name = argument.substr(0, equals);
    for (const switch_option& option : switches) {
        if (name == option.name) {
            if (equals != string_view::npos) {
                return refuse(std::string(name) + " takes no value");
            }
            out.*option.flag = true;
            return std::size_t{1};
        }
    }
    for (const valued_option& option : valued_options) {
        if (name != option.name) {
            continue;
        }
        const bool separate = equals == string_view::npos;
        if (separate && arguments.size() == 1) {
            return refuse(std::string(name) + " needs a value");
        }
        if (auto error = option.set(out, separate ? string_view(arguments[1]) : argument.substr(equals + 1))) {
            return *std::move(error);
        }
        return std::size_t{separate ? 2U : 1U};
    }
    return refuse("unknown option '" + std::string(name) + "'");
}

/// Whether an option is the program's own also behind the script. `--help` and `--version` are the script's there.
bool is_own_behind_script(string_view argument) {
    const string_view name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || name == "--help" || name == "--version") {
        return false;
    }
    const auto is_it = [&](const auto& option) { return option.name == name; };
    return std::any_of(switches.begin(), switches.end(), is_it) || std::any_of(valued_options.begin(), valued_options.end(), is_it);
}

/// Sets the program's own options that follow the script directly, and gives the script the rest.
ai::result<options> set_script_arguments(options out, std::span<char* const> arguments, bool own_options) {
    while (own_options && !arguments.empty() && is_own_behind_script(arguments.front())) {
        const auto used = set_option(out, arguments);
        if (!used) {
            return used.error();
        }
        arguments = arguments.subspan(*used);
    }
    if (own_options && !arguments.empty() && string_view(arguments.front()) == "--") {
        arguments = arguments.subspan(1);
    }
    out.script_arguments.assign(arguments.begin(), arguments.end());
    return out;
}

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
            case exit_status::usage:
            case exit_status::interrupted: break;
        }
        return 3;
    };
    return rank(left) >= rank(right) ? left : right;
}

ai::result<options> parse_options(std::span<char* const> arguments) {
    options out;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const string_view argument = arguments[at];
        const bool ends_options = argument == "--";
        if (!ends_options && argument.starts_with('-')) {
            const auto used = set_option(out, arguments.subspan(at));
            if (!used) {
                return used.error();
            }
            at += *used - 1;
            continue;
        }
        const std::size_t script = ends_options ? at + 1 : at;
        if (script == arguments.size()) {
            return out;
        }
        if (*arguments[script] == '\0') {
            return refuse("an empty argument is not a script");
        }
        out.script = arguments[script];
        return set_script_arguments(std::move(out), arguments.subspan(script + 1), !ends_options);
    }
    return out;
}

}  // namespace repl
