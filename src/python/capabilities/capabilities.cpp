#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/path_resolver.hpp"
#include "python/look/structural_printer.hpp"
#include "python/session/session_state.hpp"

#include <pyaichat/capability/function.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_doc_chars = 4000;
constexpr std::size_t max_eval_chars = 4000;
constexpr std::size_t max_eval_output = 8 * 1024;
constexpr std::size_t max_message = 2000;
constexpr std::size_t max_traceback = 4000;

/// The arguments of one call, by their names. An argument that was not given has its default.
struct call_arguments {
    std::map<std::string_view, std::string> texts = {};
    std::map<std::string_view, std::size_t> counts = {};
};

/// Marks a result as found without running user code.
capability_reply structural(json result) {
    result["tier"] = 0;
    result["ran_user_code"] = false;
    return reply_with(std::move(result));
}

/// The beginning of a text, with a note of how much is missing.
std::string beginning(const std::string& text, std::size_t bytes, std::string_view mark) {
    const std::string kept(pyaichat::detail::utf8_prefix(text, bytes));
    return kept.size() == text.size() ? kept
                                      : kept + std::string(mark) + "[" + std::to_string(text.size() - kept.size()) + " bytes left out]";
}

std::string end_of(const std::string& traceback) {
    return std::string(pyaichat::detail::utf8_suffix(traceback, max_traceback));
}

/// Resolves `expr` and passes the object to `describe`.
template <class Describe>
capability_reply look_at(session_state& session, call_arguments& arguments, Describe describe) {
    resolved target = resolve_path(arguments.texts["expr"], session.globals(), session.python().runtime().builtins());
    if (auto* reply = std::get_if<capability_reply>(&target)) {
        return std::move(*reply);
    }
    return structural(describe(std::get<ref>(target).get()));
}

bool is_hidden_name(std::string_view name) {
    return name == "_" || (name.starts_with("__") && name.ends_with("__"));
}

capability_reply list_globals(session_state& session, call_arguments& arguments) {
    const std::string& filter = arguments.texts["filter"];
    const std::size_t limit = arguments.counts["limit"];
    const std::size_t offset = arguments.counts["offset"];
    struct variable {
        bool is_module;
        std::string name;
        ref value;
    };
    std::vector<variable> variables;
    for (dict_cursor each{session.globals()}; each.next();) {
        std::string name = PyUnicode_CheckExact(each.key) ? to_utf8(each.key) : "__";
        if (!is_hidden_name(name) && matches_glob(name, filter)) {
            variables.push_back({PyModule_Check(each.value) != 0, std::move(name), ref::share(each.value)});
        }
    }
    std::sort(variables.begin(), variables.end(), [](const variable& left, const variable& right) {
        return std::tie(left.is_module, left.name) < std::tie(right.is_module, right.name);
    });

    json globals = json::array();
    for (std::size_t i = offset; i < variables.size() && globals.size() < limit; ++i) {
        const auto& [is_module, name, value] = variables[i];
        globals.push_back(json::object({{"name", name},
                                        {"type_name", name_of(Py_TYPE(value.get())).qualified()},
                                        {"summary", is_module ? std::string() : summary_of(value.get())}}));
    }
    const bool truncated = offset + globals.size() < variables.size();
    return structural(json::object({{"globals", std::move(globals)}, {"total", variables.size()}, {"truncated", truncated}}));
}

capability_reply get_type(session_state& session, call_arguments& arguments) {
    return look_at(session, arguments, &type_facts);
}

capability_reply get_repr(session_state& session, call_arguments& arguments) {
    const std::size_t max_chars = arguments.counts["max_chars"];
    return look_at(session, arguments, [&](PyObject* object) {
        const printed text = print_structure(object, {.max_chars = max_chars});
        return json::object({{"repr", text.text},
                             {"truncated", text.truncated},
                             {"original_len", text.original_length ? json(*text.original_length) : json()}});
    });
}

capability_reply get_dir(session_state& session, call_arguments& arguments) {
    const std::string& filter = arguments.texts["filter"];
    const std::size_t limit = arguments.counts["limit"];
    return look_at(session, arguments, [&](PyObject* object) {
        std::vector<std::string> names = member_names(object);
        std::erase_if(names, [&](const std::string& name) { return !matches_glob(name, filter); });
        const std::size_t total = names.size();
        names.resize(std::min(total, limit));
        return json::object({{"members", names}, {"truncated", total > limit}, {"original_len", total}});
    });
}

capability_reply get_doc(session_state& session, call_arguments& arguments) {
    return look_at(session, arguments, [](PyObject* object) {
        const ref doc = doc_of(object);
        const Py_ssize_t length = doc ? PyUnicode_GET_LENGTH(doc.get()) : 0;
        const bool cut = length > static_cast<Py_ssize_t>(max_doc_chars);
        const ref shown = cut ? ref::steal(PyUnicode_Substring(doc.get(), 0, static_cast<Py_ssize_t>(max_doc_chars))) : doc;
        return json::object({{"doc", shown ? json(to_utf8(shown.get())) : json()}, {"truncated", cut}, {"original_len", length}});
    });
}

capability_reply inspect(session_state& session, call_arguments& arguments) {
    const inspect_options options = {
        .depth = static_cast<int>(arguments.counts["depth"]), .rows = arguments.counts["rows"], .columns = arguments.counts["columns"]};
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

capability_reply eval_expr(session_state& session, call_arguments& arguments) {
    const std::string& expression = arguments.texts["expr"];
    if (const std::optional<std::string> plain = plain_value(session, expression)) {
        return structural(json::object({{"value_repr", *plain}, {"stdout", ""}, {"stderr", ""}}));
    }
    const run_options options = {.mode = run_mode::expression, .file_name = "<expression>"};
    const outcome ended =
        session.run(expression, options, std::make_shared<output_sink>(), session_state::on_exception::forget, max_eval_chars);
    json result =
        json::object({{"stdout", beginning(ended.out, max_eval_output, "\n")}, {"stderr", beginning(ended.err, max_eval_output, "\n")}});
    if (ended.exception) {
        result["traceback"] = end_of(ended.exception->traceback);
        return python_exception_reply(ended.exception->exc_type, std::string(pyaichat::detail::utf8_prefix(ended.exception->message, 1000)),
                                      std::move(result));
    }
    if (!ended.ok()) {
        return reply_error(reply_code::internal, ended.why);
    }
    result["value_repr"] = ended.value.empty() ? "None" : ended.value;
    result["tier"] = 3;
    result["ran_user_code"] = true;
    return reply_with(std::move(result));
}

capability_reply get_last_exception(session_state& session, call_arguments& arguments) {
    const std::size_t limit = arguments.counts["frames"];
    json exception;
    if (const std::optional<caught_exception>& last = session.last_exception()) {
        const std::vector<json>& frames = last->frames;
        exception = json::object(
            {{"exc_type", last->info.exc_type},
             {"message", beginning(last->info.message, max_message, "... ")},
             {"traceback", end_of(last->info.traceback)},
             {"frames", std::vector<json>(frames.end() - static_cast<std::ptrdiff_t>(std::min(frames.size(), limit)), frames.end())},
             {"frames_total", last->frames_total}});
    }
    return structural(json::object({{"exception", std::move(exception)}}));
}

/// A parameter of a capability: a text, or an integer if it has a maximum.
struct parameter {
    const char* name;
    const char* description;
    std::int64_t otherwise = 0;  ///< the value if it is not given
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    bool required = false;
};

struct declaration {
    const char* name;
    const char* headline;
    const char* description;
    std::vector<parameter> parameters;
    capability_reply (*run)(session_state&, call_arguments&);

    [[nodiscard]] capability_spec spec() const {
        json properties = json::object();
        json required = json::array();
        for (const parameter& each : parameters) {
            json& property = properties[each.name];
            property = json::object({{"type", each.maximum == 0 ? "string" : "integer"}, {"description", each.description}});
            if (each.maximum != 0) {
                property["minimum"] = each.minimum;
                property["maximum"] = each.maximum;
            }
            if (each.required) {
                required.push_back(each.name);
            }
        }
        json schema = json::object({{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}});
        if (!required.empty()) {
            schema["required"] = std::move(required);
        }
        return {.name = name,
                .description = description,
                .parameters = std::move(schema),
                .effects = effects::read,
                .headline = headline,
                .origin = "Python"};
    }
};

const std::vector<declaration>& declarations() {
    static const parameter path = {
        .name = "expr",
        .description =
            "A path: a variable's name, then attributes and items by literal keys, e.g. df, player.items[\"key\"], rows[0]. No calls.",
        .required = true};
    static const parameter filter = {"filter", "Only names that match this pattern (* and ? as in file names)."};
    static const std::vector<declaration> all = {
        {"list_globals",
         "globals",
         "Lists the variables of the live Python session: name, type and a short summary of each. Imported modules come last.",
         {filter,
          {"limit", "Maximum number of variables (default 50).", 50, 1, 1000},
          {"offset", "Number of variables to skip, to read the next page when truncated is true.", 0, 0, 1'000'000}},
         &list_globals},
        {"get_type", "qualified", "The type of an object in the live Python session. Runs no code of the object.", {path}, &get_type},
        {"get_repr",
         "repr",
         "Prints an object in the live Python session from its structure, without running its code. "
         "Long values are cut; original_len is the length of the whole text (null: very long).",
         {path, {"max_chars", "Maximum number of characters (default 2000).", 2000, 1, 100'000}},
         &get_repr},
        {"get_dir",
         "members",
         "Lists the names of an object's attributes and methods, public names first. Runs no code.",
         {path, filter, {"limit", "Maximum number of names (default 200).", 200, 1, 5000}},
         &get_dir},
        {"get_doc", "doc", "The documentation string of an object, class, function or module; null when it has none.", {path}, &get_doc},
        {"inspect",
         "summary",
         "Everything about one object in one bounded reply: type, summary, size, signature and source location of a function, "
         "attributes with their values, methods, items. Properties are only named (lazy), never computed.",
         {path,
          {"depth", "Maximum depth of nested values (default 2).", 2, 1, 8},
          {"rows", "Maximum number of attributes and items (default 20).", 20, 1, 500},
          {"columns", "Maximum number of entries in each nested value (default 10).", 10, 1, 500}},
         &inspect},
        {"eval_expr",
         "value_repr",
         "Evaluates one Python expression in the live session and returns its value as text, with what it printed. "
         "It may call functions, so prefer the other functions, which run no code, when a path is enough.",
         {{.name = "expr", .description = "A Python expression, e.g. len(rows), df.describe(), sum(x for x in xs).", .required = true}},
         &eval_expr},
        {"get_last_exception",
         "exception",
         "The last uncaught exception in the session: type, message, traceback, and its innermost frames with "
         "their local variables at that moment. exception is null if nothing has failed.",
         {{"frames", "Maximum number of frames, innermost last (default 5).", 5, 1, 50}},
         &get_last_exception}};
    return all;
}

/// Reads the arguments of a call. Returns the reply for the first one that does not fit, if any.
std::optional<capability_reply> read_arguments(const declaration& called, const json& given, call_arguments& arguments) {
    schema_error error;
    pyaichat::detail::member_reader<pyaichat::detail::field_form> members{given, error};
    for (const parameter& each : called.parameters) {
        const std::string pointer = std::string("/") + each.name;
        std::optional<std::int64_t> count;
        std::optional<std::string> text;
        if (each.maximum == 0) {
            members(each.name, text);
        } else {
            members(each.name, count);
        }
        if (each.required && pyaichat::detail::is_blank(text.value_or(""))) {
            members.refuse({pointer, "required", "is missing: give an expression like \"x\" or \"player.items[0]\""});
        }
        if (count && *count < each.minimum) {
            members.refuse({pointer, "minimum", "must be an integer of at least " + std::to_string(each.minimum)});
        }
        arguments.texts[each.name] = text.value_or("");
        arguments.counts[each.name] = static_cast<std::size_t>(std::clamp(count.value_or(each.otherwise), each.minimum, each.maximum));
    }
    return members.fits ? std::nullopt : std::optional(reply_invalid_args({&error, 1}));
}

}  // namespace

const capability_list& capability_specs() {
    static const capability_list specs = [] {
        std::vector<capability_spec> all;
        for (const declaration& each : declarations()) {
            all.push_back(each.spec());
        }
        return declare(all).value();
    }();
    return specs;
}

capability_reply run_capability(session_state& session, std::string_view name, const json& arguments) {
    if (session.globals() == nullptr) {
        return reply_error(reply_code::internal, "Python could not prepare the session: a replaced standard function may prevent it");
    }
    const auto& all = declarations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const declaration& each) { return each.name == name; });
    if (found == all.end()) {
        return reply_error(reply_code::unknown_function, "this Python session has no function `" + std::string(name) + "`");
    }
    call_arguments read;
    if (std::optional<capability_reply> refused = read_arguments(*found, arguments, read)) {
        return *std::move(refused);
    }
    if (found->run == &eval_expr) {
        return eval_expr(session, read);
    }
    const collector_pause paused;
    capability_reply reply = found->run(session, read);
    PyErr_Clear();
    return reply;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
