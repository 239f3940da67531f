#include "commands/saved_variables.hpp"

#include "python/python_literal.hpp"
#include "python/session_query.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_saved = 1000;
constexpr std::size_t most_digits = std::size_t{128} << 20;  // 64 MiB
constexpr auto time_for_one = 30s;

std::string in_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4U];
        out += digits[byte & 0x0FU];
    }
    return out;
}

bool is_name(std::string_view text) {
    return !text.empty() && !ai::detail::is_digit(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
        return ai::detail::is_letter(c) || ai::detail::is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    });
}

// The programs write '+' and their result, or '!' and the reason of a failure. They catch every exception: one that got out would be the
// session's last exception, about which the person may want to ask. They run in a namespace of their own, so that they bind no names.
constexpr const char* save_program = R"(import pickle, sys
try:
    text = '+' + pickle.dumps(names[name]).hex() if name in names else '!it is not defined'
except BaseException as error:
    text = '!' + type(error).__name__ + ': ' + str(error)
sys.stdout.write(text)
)";
constexpr const char* load_program = R"(import pickle, sys
try:
    names[name] = pickle.loads(bytes.fromhex(digits))
    text = '+'
except BaseException as error:
    text = '!' + type(error).__name__ + ': ' + str(error)
sys.stdout.write(text)
)";

/// Collects output on Python's threads. Shared, because code may write after its deadline.
struct collected_output {
    std::mutex mutex;
    std::string text;
};

/// Runs a program about one variable. Returns what it wrote behind the '+'.
ai::result<std::string> run_about(ai::python::session& session, const char* program, const saved_variable& variable) {
    const auto out = std::make_shared<collected_output>();
    const ai::python::outcome outcome = session.run("exec(" + python_literal(program) + ", {'names': globals(), 'name': '" + variable.name +
                                                        "', 'digits': '" + variable.pickled + "'})",
                                                    {.time_left = time_for_one,
                                                     .file_name = "<session file>",
                                                     .output = [out](ai::python::output_stream stream, std::string_view text) {
                                                         const std::lock_guard lock(out->mutex);
                                                         if (stream == ai::python::output_stream::out && out->text.size() <= most_digits) {
                                                             out->text += text;
                                                         }
                                                     }});
    const std::lock_guard lock(out->mutex);
    if (outcome.ok() && out->text.starts_with('+')) {
        return out->text.substr(1);
    }
    if (outcome.ok() && out->text.starts_with('!')) {
        return ai::failure{.message = ai::detail::one_line(out->text.substr(1), 200)};
    }
    return ai::failure{.message = outcome.why.empty() ? "it printed something, or it could not be done" : outcome.why};
}

/// The pickle of one variable in hexadecimal digits.
ai::result<std::string> pickle_one(ai::python::session& session, const std::string& name) {
    auto digits = run_about(session, save_program, {.name = name});
    if (digits && digits->size() > most_digits) {
        return ai::failure{.message = "it is larger than 64 MiB"};
    }
    if (digits && (digits->empty() || digits->find_first_not_of("0123456789abcdef") != std::string::npos)) {
        return ai::failure{.message = "it printed something while it was pickled"};
    }
    return digits;
}

}  // namespace

std::vector<std::string> names_to_save(ai::python::session& session) {
    std::vector<std::string> names;
    const auto variables = query_variables(session, "", most_saved, 5s);
    for (const ai::json& each : variables.value_or(std::vector<ai::json>())) {
        if (ai::string_member(each, "type_name").value_or("") != "module") {
            names.emplace_back(ai::string_member(each, "name").value_or(""));
        }
    }
    return names;
}

std::vector<saved_variable> pickle_variables(python_runner& python, const std::vector<std::string>& names, const std::string& key,
                                             std::vector<left_out_variable>& left_out) {
    const std::string own_module = in_hex("__main__");
    std::vector<saved_variable> saved;
    for (const std::string& name : names) {
        if (!is_name(name)) {
            left_out.push_back({name, "it is not the name of a variable"});
            continue;
        }
        auto pickled = pickle_one(python.session(), name);
        if (!pickled) {
            left_out.push_back({name, pickled.error().message});
        } else if (pickled->find(own_module) != std::string::npos) {
            left_out.push_back({name, "it needs a class or function that was defined in this session"});
        } else if (!key.empty() && pickled->find(in_hex(key)) != std::string::npos) {
            left_out.push_back({name, "it contains the key"});
        } else {
            saved.push_back({.name = name, .pickled = *std::move(pickled)});
        }
    }
    return saved;
}

std::size_t unpickle_variables(python_runner& python, const std::vector<saved_variable>& variables,
                               std::vector<left_out_variable>& failed) {
    std::size_t loaded = 0;
    for (const saved_variable& each : variables) {
        if (const auto bound = run_about(python.session(), load_program, each)) {
            ++loaded;
        } else {
            failed.push_back({each.name, bound.error().message});
        }
    }
    return loaded;
}

}  // namespace repl
