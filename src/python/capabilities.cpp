#include "python/capabilities.hpp"

#include "python/inspection.hpp"
#include "python/member_names.hpp"
#include "python/object_facts.hpp"
#include "python/path_resolver.hpp"
#include "python/session_state.hpp"
#include "python/structural_printer.hpp"

#include <pyaichat/capability/function.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_doc_chars = 4000;
constexpr std::size_t max_eval_chars = 4000;
constexpr std::size_t max_eval_output = 8 * 1024;
constexpr std::size_t max_message = 2000;
constexpr std::size_t max_traceback = 4000;

/// Marks a result as found without running user code.
capability_reply structural(json result) {
    result["tier"] = 0;
    result["ran_user_code"] = false;
    return reply_with(std::move(result));
}

/// The arguments of one call. The first one that does not fit is kept as the reply.
class argument_reader {
public:
    explicit argument_reader(const json& arguments) : members_{arguments, error_} {}

    std::string text(const std::string& name, bool required) {
        std::optional<std::string> found;
        members_(name, found);
        if (required && pyaichat::detail::is_blank(found.value_or(""))) {
            members_.refuse({"/" + name, "required", "is missing: give an expression like \"x\" or \"player.items[0]\""});
        }
        return found.value_or("");
    }

    std::size_t count(const std::string& name, std::int64_t otherwise, std::int64_t minimum, std::int64_t maximum) {
        std::optional<std::int64_t> found;
        members_(name, found);
        if (found && *found < minimum) {
            members_.refuse({"/" + name, "minimum", "must be an integer of at least " + std::to_string(minimum)});
        }
        return static_cast<std::size_t>(std::clamp(found.value_or(otherwise), minimum, maximum));
    }

    [[nodiscard]] std::optional<capability_reply> refused() const {
        return members_.fits ? std::nullopt : std::optional(reply_invalid_args({&error_, 1}));
    }

private:
    schema_error error_ = {};
    pyaichat::detail::member_reader<pyaichat::detail::field_form> members_;
};

/// Resolves `expr` and passes the object to `describe`.
template <class Describe>
capability_reply look_at(session_state& session, argument_reader& arguments, Describe describe) {
    const std::string expression = arguments.text("expr", true);
    if (arguments.refused()) {
        return *arguments.refused();
    }
    resolved target = resolve_path(expression, session.globals(), session.python().runtime().builtins());
    if (auto* reply = std::get_if<capability_reply>(&target)) {
        return std::move(*reply);
    }
    return structural(describe(std::get<ref>(target).get()));
}

bool is_hidden_name(std::string_view name) {
    return name == "_" || (name.starts_with("__") && name.ends_with("__"));
}

capability_reply list_globals(session_state& session, argument_reader& arguments) {
    const std::string filter = arguments.text("filter", false);
    const std::size_t limit = arguments.count("limit", 50, 1, 1000);
    const std::size_t offset = arguments.count("offset", 0, 0, 1'000'000);
    if (arguments.refused()) {
        return *arguments.refused();
    }
    std::vector<std::pair<std::string, ref>> variables;
    std::vector<std::pair<std::string, ref>> modules;
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    while (PyDict_Next(session.globals(), &position, &key, &value) != 0) {
        std::string name = PyUnicode_CheckExact(key) ? to_utf8(key) : "__";
        if (!is_hidden_name(name) && matches_glob(name, filter)) {
            (PyModule_Check(value) ? modules : variables).emplace_back(std::move(name), ref::share(value));
        }
    }
    const auto by_name = [](const auto& left, const auto& right) { return left.first < right.first; };
    std::sort(variables.begin(), variables.end(), by_name);
    std::sort(modules.begin(), modules.end(), by_name);
    variables.insert(variables.end(), std::make_move_iterator(modules.begin()), std::make_move_iterator(modules.end()));

    json globals = json::array();
    for (std::size_t i = offset; i < variables.size() && globals.size() < limit; ++i) {
        const bool module = PyModule_Check(variables[i].second.get());
        json entry = json::object();
        entry["name"] = variables[i].first;
        entry["type_name"] = name_of(Py_TYPE(variables[i].second.get())).qualified();
        entry["summary"] = module ? std::string() : summary_of(variables[i].second.get());
        globals.push_back(std::move(entry));
    }
    json result = json::object();
    result["truncated"] = offset + globals.size() < variables.size();
    result["globals"] = std::move(globals);
    result["total"] = variables.size();
    return structural(std::move(result));
}

capability_reply get_type(session_state& session, argument_reader& arguments) {
    return look_at(session, arguments, &type_facts);
}

capability_reply get_repr(session_state& session, argument_reader& arguments) {
    const std::size_t max_chars = arguments.count("max_chars", 2000, 1, 100'000);
    return look_at(session, arguments, [&](PyObject* object) {
        const printed text = print_structure(object, {.max_chars = max_chars});
        json result = json::object();
        result["repr"] = text.text;
        result["truncated"] = text.truncated;
        result["original_len"] = text.original_length ? json(*text.original_length) : json();
        return result;
    });
}

capability_reply get_dir(session_state& session, argument_reader& arguments) {
    const std::string filter = arguments.text("filter", false);
    const std::size_t limit = arguments.count("limit", 200, 1, 5000);
    return look_at(session, arguments, [&](PyObject* object) {
        std::vector<std::string> names = member_names(object);
        std::erase_if(names, [&](const std::string& name) { return !matches_glob(name, filter); });
        json result = json::object();
        result["original_len"] = names.size();
        result["truncated"] = names.size() > limit;
        names.resize(std::min(names.size(), limit));
        result["members"] = names;
        return result;
    });
}

capability_reply get_doc(session_state& session, argument_reader& arguments) {
    return look_at(session, arguments, [](PyObject* object) {
        const ref doc = doc_of(object);
        const Py_ssize_t length = doc ? PyUnicode_GET_LENGTH(doc.get()) : 0;
        const bool cut = length > static_cast<Py_ssize_t>(max_doc_chars);
        const ref shown = cut ? ref::steal(PyUnicode_Substring(doc.get(), 0, static_cast<Py_ssize_t>(max_doc_chars))) : doc;
        json result = json::object();
        result["doc"] = shown ? json(to_utf8(shown.get())) : json();
        result["truncated"] = cut;
        result["original_len"] = length;
        return result;
    });
}

capability_reply inspect(session_state& session, argument_reader& arguments) {
    inspect_options options;
    options.depth = static_cast<int>(arguments.count("depth", 2, 1, 8));
    options.rows = arguments.count("rows", 20, 1, 500);
    options.columns = arguments.count("columns", 10, 1, 500);
    return look_at(session, arguments, [&](PyObject* object) { return inspect_object(object, options); });
}

/// Prints the object at a path if that gives the same text as its `repr`; `nullopt` if user code has to run.
std::optional<std::string> plain_value(session_state& session, const std::string& expression) {
    const collector_pause paused;
    const resolved target = resolve_path(expression, session.globals(), session.python().runtime().builtins());
    const ref* object = std::get_if<ref>(&target);
    if (object == nullptr) {
        return std::nullopt;
    }
    const printed text = print_structure(object->get(), {.max_chars = max_eval_chars});
    return text.met_objects ? std::nullopt : std::optional(text.text + (text.clipped ? "..." : ""));
}

capability_reply eval_expr(session_state& session, argument_reader& arguments) {
    const std::string expression = arguments.text("expr", true);
    if (arguments.refused()) {
        return *arguments.refused();
    }
    json result = json::object();
    result["stdout"] = "";
    result["stderr"] = "";
    if (const std::optional<std::string> plain = plain_value(session, expression)) {
        result["value_repr"] = *plain;
        return structural(std::move(result));
    }
    const auto sink = std::make_shared<output_sink>();
    const run_options options = {.mode = run_mode::expression, .file_name = "<expression>"};
    const outcome ended = session.run(expression, options, sink, session_state::on_exception::forget, max_eval_chars);
    const auto bounded = [](const std::string& text) {
        return text.size() <= max_eval_output ? text
                                              : std::string(pyaichat::detail::utf8_prefix(text, max_eval_output)) + "\n[" +
                                                    std::to_string(text.size() - max_eval_output) + " bytes left out]";
    };
    if (ended.exception) {
        json details = json::object();
        details["traceback"] = std::string(pyaichat::detail::utf8_suffix(ended.exception->traceback, max_traceback));
        details["stdout"] = bounded(ended.out);
        details["stderr"] = bounded(ended.err);
        return python_exception_reply(ended.exception->exc_type, std::string(pyaichat::detail::utf8_prefix(ended.exception->message, 1000)),
                                      std::move(details));
    }
    if (!ended.ok()) {
        return reply_error(reply_code::internal, ended.why);
    }
    result["value_repr"] = ended.value.empty() ? "None" : ended.value;
    result["stdout"] = bounded(ended.out);
    result["stderr"] = bounded(ended.err);
    result["tier"] = 3;
    result["ran_user_code"] = true;
    return reply_with(std::move(result));
}

capability_reply get_last_exception(session_state& session, argument_reader& arguments) {
    const std::size_t wanted = arguments.count("frames", 5, 1, 50);
    if (arguments.refused()) {
        return *arguments.refused();
    }
    json result = json::object();
    result["exception"] = json();
    if (const std::optional<caught_exception>& last = session.last_exception()) {
        json exception = json::object();
        exception["exc_type"] = last->info.exc_type;
        const std::string& message = last->info.message;
        const std::string_view kept = pyaichat::detail::utf8_prefix(message, max_message);
        exception["message"] =
            std::string(kept) +
            (kept.size() < message.size() ? "... [" + std::to_string(message.size() - kept.size()) + " bytes left out]" : "");
        exception["traceback"] = std::string(pyaichat::detail::utf8_suffix(last->info.traceback, max_traceback));
        json frames = json::array();
        for (std::size_t i = last->frames.size() - std::min(last->frames.size(), wanted); i < last->frames.size(); ++i) {
            frames.push_back(last->frames[i]);
        }
        exception["frames"] = std::move(frames);
        exception["frames_total"] = last->frames_total;
        result["exception"] = std::move(exception);
    }
    return structural(std::move(result));
}

struct entry {
    std::string_view name;
    capability_reply (*run)(session_state&, argument_reader&);
};
constexpr std::array<entry, 8> capabilities = {{{"list_globals", &list_globals},
                                                {"get_type", &get_type},
                                                {"get_repr", &get_repr},
                                                {"get_dir", &get_dir},
                                                {"get_doc", &get_doc},
                                                {"inspect", &inspect},
                                                {"eval_expr", &eval_expr},
                                                {"get_last_exception", &get_last_exception}}};

}  // namespace

capability_reply run_capability(session_state& session, std::string_view name, const json& arguments) {
    if (session.globals() == nullptr) {
        return reply_error(reply_code::internal, "Python could not prepare the session: a replaced standard function may prevent it");
    }
    argument_reader reader(arguments);
    for (const entry& each : capabilities) {
        if (each.name != name) {
            continue;
        }
        if (name == "eval_expr") {
            return each.run(session, reader);
        }
        const collector_pause paused;
        capability_reply reply = each.run(session, reader);
        PyErr_Clear();
        return reply;
    }
    return reply_error(reply_code::unknown_function, "this Python session has no function `" + std::string(name) + "`");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
