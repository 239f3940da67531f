#include "python/look/path_resolver.hpp"

#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

capability_reply not_allowed(const std::string& at, const std::string& why) {
    return reply_error(
        reply_code::not_allowed,
        "`" + pyaichat::detail::one_line(at, 80) + "` cannot be looked up without running code: " + why + "; use eval_expr to run it",
        json::object({{"at", at}, {"needed_tier", 3}}));
}

/// A Python exception because a name or a key is missing, with the names that may have been meant.
capability_reply not_found(std::string exc_type, std::string message, const std::vector<std::string>& nearest) {
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        message += (i == 0 ? "; did you mean: " : ", ") + nearest[i];
    }
    return python_exception_reply(std::move(exc_type), std::move(message), json::object({{"nearest", nearest}}));
}

capability_reply unknown_name(const std::string& name, PyObject* globals, PyObject* builtins) {
    std::vector<std::string> names = dict_names(globals);
    const std::vector<std::string> builtin_names = dict_names(builtins);
    names.insert(names.end(), builtin_names.begin(), builtin_names.end());
    return not_found("NameError", "name '" + name + "' is not defined", nearest_names(name, std::move(names)));
}

capability_reply unknown_attribute(PyObject* object, const std::string& name) {
    const std::string owner = PyType_Check(object)     ? "type object '" + name_of(reinterpret_cast<PyTypeObject*>(object)).name + "'"
                              : PyModule_Check(object) ? "the module"
                                                       : "'" + name_of(Py_TYPE(object)).name + "' object";
    return not_found("AttributeError", owner + " has no attribute '" + name + "'", nearest_names(name, member_names(object)));
}

capability_reply unknown_item(PyObject* object, const path_step& step) {
    if (!PyDict_Check(object)) {
        return python_exception_reply("IndexError", name_of(Py_TYPE(object)).name + " index out of range: it has " +
                                                        std::to_string(size_of(object).value_or(0)) + " items");
    }
    const auto* text = std::get_if<std::string>(&step.key.value);
    return not_found("KeyError", "key " + step.text + " not found among " + pyaichat::detail::counted(PyDict_GET_SIZE(object), "key"),
                     text != nullptr ? nearest_names(*text, dict_names(object)) : std::vector<std::string>());
}

}  // namespace

capability_reply python_exception_reply(std::string exc_type, std::string message, json details) {
    details["exc_type"] = exc_type;
    details["message"] = message;
    return reply_error(reply_code::python_exception, exc_type + ": " + message, std::move(details));
}

resolved resolve_path(std::string_view expression, PyObject* globals, PyObject* builtins) {
    const result<path> parsed = parse_path(expression);
    if (!parsed) {
        return reply_error(reply_code::not_allowed,
                           "`" + pyaichat::detail::one_line(expression, 80) + "`: " + parsed.error().message +
                               ". A path is a name with attributes and items by literal keys, like a.b[\"key\"][0]; "
                               "use eval_expr to run any other expression",
                           json::object({{"needed_tier", 3}}));
    }
    const ref root = to_python(parsed->root);
    PyObject* start = root ? find_name(globals, root.get()) : nullptr;
    if (start == nullptr && root) {
        start = find_name(builtins, root.get());
    }
    if (start == nullptr) {
        PyErr_Clear();
        return unknown_name(parsed->root, globals, builtins);
    }
    ref object = ref::share(start);
    std::string at = parsed->root;
    for (const path_step& step : parsed->steps) {
        at += step.text;
        lookup next = step.attribute.empty() ? static_item(object.get(), step.key) : static_attribute(object.get(), step.attribute);
        switch (next.what) {
            case lookup::kind::found: object = std::move(next.value); break;
            case lookup::kind::needs_code: return not_allowed(at, next.why);
            case lookup::kind::unfit: return python_exception_reply("TypeError", next.why);
            case lookup::kind::missing:
                return step.attribute.empty() ? unknown_item(object.get(), step) : unknown_attribute(object.get(), step.attribute);
        }
    }
    return object;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
