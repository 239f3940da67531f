#include "commands/saved_variables.hpp"

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
constexpr std::size_t most_pickled_bytes = std::size_t{64} << 20;
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

/// Collects output on Python's threads. Shared, because code may write after its deadline.
struct collected_output {
    std::mutex mutex;
    std::string text;
};

std::string reason_of(const ai::python::outcome& outcome) {
    if (outcome.exception) {
        return ai::detail::one_line(outcome.exception->exc_type + ": " + outcome.exception->message, 200);
    }
    return outcome.why.empty() ? "it could not be done" : outcome.why;
}

/// The pickle of one variable in hexadecimal digits, or the reason why there is none.
ai::result<std::string> pickle_one(ai::python::session& session, const std::string& name) {
    const auto out = std::make_shared<collected_output>();
    // A lambda, so that no name of the session is bound.
    const ai::python::outcome outcome = session.run(
        "(lambda value, pickle, sys: sys.stdout.write(pickle.dumps(value).hex()))(" + name + ", __import__('pickle'), __import__('sys'))",
        {.time_left = time_for_one, .file_name = "<save>", .output = [out](ai::python::output_stream stream, std::string_view text) {
             const std::lock_guard lock(out->mutex);
             if (stream == ai::python::output_stream::out && out->text.size() <= 2 * most_pickled_bytes) {
                 out->text += text;
             }
         }});
    const std::lock_guard lock(out->mutex);
    const bool has_digits = !out->text.empty() && out->text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!outcome.ok() || !has_digits) {
        return ai::failure{.message = outcome.ok() ? "it printed something while it was pickled" : reason_of(outcome)};
    }
    if (out->text.size() > 2 * most_pickled_bytes) {
        return ai::failure{.message = "it is larger than 64 MiB"};
    }
    return out->text;
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
        const ai::python::outcome outcome =
            python.session().run(each.name + " = __import__('pickle').loads(bytes.fromhex('" + each.pickled + "'))",
                                 {.time_left = time_for_one, .file_name = "<load>"});
        if (outcome.ok()) {
            ++loaded;
        } else {
            failed.push_back({each.name, reason_of(outcome)});
        }
    }
    return loaded;
}

}  // namespace repl
