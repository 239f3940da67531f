#include "python/look/source_text.hpp"

#include "python/look/bounded_text.hpp"
#include "python/look/code_lines.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/source_lines.hpp"
#include "python/look/static_lookup.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_class_entries = 10'000;

source_text no_source(std::string why) {
    source_text found;
    found.why = std::move(why);
    return found;
}

/// The code object behind a function, a method, a static method, a class method or a property; null for other objects. Borrowed.
PyCodeObject* code_of(PyObject* object) {
    PyTypeObject* kind = Py_TYPE(object);
    if (kind == &PyClassMethod_Type || kind == &PyStaticMethod_Type || kind == &PyProperty_Type) {
        const ref inner = builtin_member(kind, object, kind == &PyProperty_Type ? "fget" : "__func__");
        return inner && PyFunction_Check(inner.get()) ? code_of(inner.get()) : nullptr;
    }
    const PyFunctionObject* function = function_of(object);
    PyObject* code = function != nullptr ? function->func_code : PyCode_Check(object) ? object : nullptr;
    return code != nullptr && PyCode_Check(code) ? reinterpret_cast<PyCodeObject*>(code) : nullptr;
}

source_text excerpt(const source_lines& lines, std::string file, std::size_t first, std::size_t last, std::size_t max_chars) {
    source_text found = {.file = std::move(file), .line = first};
    bounded_text text(max_chars, max_chars);
    std::size_t at = first;
    for (; at <= last && !text.done(); ++at) {
        text.utf8(lines.line(at));
        text.ascii("\n");
    }
    found.truncated = text.clipped() || at <= last || (!lines.complete() && last >= lines.count());
    found.source = text.take();
    return found;
}

source_text source_of_code(PyCodeObject* code, std::size_t max_chars) {
    const std::string file = to_utf8(code->co_filename);
    const std::optional<source_lines> lines = source_lines::of(file);
    const code_lines extent = lines_of(code);
    const auto first = static_cast<std::size_t>(std::max(extent.first, 1));
    if (!lines || first > lines->count()) {
        return no_source("its source `" + name_text(code->co_filename) + "` is not a readable Python file or an entry of this session");
    }
    const bool is_lambda = PyUnicode_CompareWithASCIIString(code->co_name, "<lambda>") == 0;
    const auto last = std::min(static_cast<std::size_t>(std::max(extent.last, extent.first)), lines->count());
    source_text found = excerpt(*lines, file, first, is_lambda ? last : lines->end_of_block(first, last), max_chars);
    found.truncated = found.truncated || !extent.complete;
    return found;
}

/// What the methods of a class tell about its source.
struct class_hints {
    std::string file = {};
    int first_method = 0;
    int last_line = 0;
    int first_line = 0;  ///< of the class, if it says so (Python 3.13)
};

class_hints hints_of(PyTypeObject* type, const std::string& qualified) {
    class_hints hints;
    std::size_t left = max_class_entries;
    const ref names = type_dict(type);
    for (dict_cursor each{names.get()}; left > 0 && each.next(); --left) {
        if (PyUnicode_CheckExact(each.key) && PyUnicode_CompareWithASCIIString(each.key, "__firstlineno__") == 0 &&
            PyLong_CheckExact(each.value)) {
            hints.first_line = static_cast<int>(PyLong_AsLong(each.value));
            PyErr_Clear();
        }
        PyCodeObject* code = code_of(each.value);
        if (code == nullptr || !text_or(code->co_qualname).starts_with(qualified + ".")) {
            continue;
        }
        const code_lines extent = lines_of(code);
        hints.file = to_utf8(code->co_filename);
        hints.first_method = hints.first_method == 0 ? extent.first : std::min(hints.first_method, extent.first);
        hints.last_line = std::max(hints.last_line, extent.last);
    }
    return hints;
}

/// The line `class Name` nearest before `limit`, or the first one without a limit. 0 if there is none.
std::size_t find_class(const source_lines& lines, std::string_view name, std::size_t limit) {
    std::size_t found = 0;
    for (std::size_t at = 1; at <= lines.count() && (limit == 0 || at < limit); ++at) {
        std::string_view text = lines.line(at).substr(lines.indentation(at));
        if (!text.starts_with("class ")) {
            continue;
        }
        text.remove_prefix(std::min(text.find_first_not_of(' ', 6), text.size()));
        const std::string_view rest = text.substr(std::min(name.size(), text.size()));
        if (text.starts_with(name) &&
            (rest.empty() || rest.front() == ':' || rest.front() == '(' || rest.front() == ' ' || rest.front() == '[')) {
            found = at;
            if (limit == 0) {
                break;
            }
        }
    }
    return found;
}

/// The file of a module, if it has one.
std::string file_of_module(PyObject* names) {
    PyObject* file = find_name(names, "__file__");
    return file != nullptr && PyUnicode_CheckExact(file) ? to_utf8(file) : std::string();
}

std::string file_of_class(PyTypeObject* type) {
    PyObject* module_name = find_name(type_dict(type).get(), "__module__");
    PyObject* module =
        module_name != nullptr && PyUnicode_CheckExact(module_name) ? find_name(PyImport_GetModuleDict(), module_name) : nullptr;
    return module != nullptr && PyModule_Check(module) ? file_of_module(PyModule_GetDict(module)) : std::string();
}

source_text source_of_class(PyTypeObject* type, std::size_t max_chars) {
    const std::string qualified = name_of(type).name;
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
        return no_source("`" + qualified + "` is written in C");
    }
    const std::string name = qualified.substr(qualified.rfind('.') + 1);
    const class_hints hints = hints_of(type, qualified);
    std::string file = hints.file.empty() ? file_of_class(type) : hints.file;
    std::optional<source_lines> lines = file.empty() ? std::nullopt : source_lines::of(file);
    if (!lines && hints.file.empty()) {
        // A class of the session without methods: only its text tells the entry.
        auto entry = source_lines::latest_entry([&](const source_lines& each) { return find_class(each, name, 0) != 0; });
        if (entry) {
            file = std::move(entry->first);
            lines.emplace(std::move(entry->second));
        }
    }
    std::size_t first = static_cast<std::size_t>(std::max(hints.first_line, 0));
    if (lines && (first == 0 || first > lines->count())) {
        first = find_class(*lines, name, static_cast<std::size_t>(std::max(hints.first_method, 0)));
    }
    if (!lines || first == 0) {
        return no_source("no source of the class `" + qualified + "` was found: it may be made by code or come from C");
    }
    const std::size_t last = lines->end_of_block(first, std::min(static_cast<std::size_t>(std::max(hints.last_line, 0)), lines->count()));
    while (first > 1 && lines->indentation(first - 1) == lines->indentation(first) &&
           lines->line(first - 1).substr(lines->indentation(first - 1)).starts_with('@')) {
        --first;
    }
    return excerpt(*lines, std::move(file), first, last, max_chars);
}

source_text source_of_module(PyObject* module, std::size_t max_chars) {
    std::string file = file_of_module(PyModule_GetDict(module));
    const std::optional<source_lines> lines = source_lines::of(file);
    return lines ? excerpt(*lines, std::move(file), 1, lines->count(), max_chars) : no_source("the module has no Python source file");
}

}  // namespace

source_text find_source(PyObject* object, std::size_t max_chars) {
    if (PyType_Check(object)) {
        return source_of_class(reinterpret_cast<PyTypeObject*>(object), max_chars);
    }
    if (PyModule_Check(object)) {
        return source_of_module(object, max_chars);
    }
    if (PyCodeObject* code = code_of(object)) {
        return source_of_code(code, max_chars);
    }
    const std::string type = name_of(Py_TYPE(object)).qualified();
    return no_source(PyCFunction_Check(object) || Py_TYPE(object) == &PyMethodDescr_Type || Py_TYPE(object) == &PyWrapperDescr_Type
                         ? "it is written in C"
                         : "it is an object of the class `" + type + "`: ask for the source of a function, a class, a method or a module");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
