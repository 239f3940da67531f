#include "python/look/call_facts.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_wrappers = 8;
constexpr Py_ssize_t max_read_doc = 4000;
constexpr std::size_t max_doc_line = 300;
constexpr std::size_t max_text_signature = 2000;

/// The first line that is not blank.
std::string first_line(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    return pyaichat::detail::one_line(text.substr(begin, end - begin), max_doc_line);
}

/// The function that decorators have wrapped, as `functools.wraps` notes it; null if there is none. Borrowed.
PyFunctionObject* unwrapped(PyFunctionObject* function) {
    for (int i = 0; function != nullptr && i < max_wrappers; ++i) {
        PyObject* inner = find_name(function->func_dict, "__wrapped__");
        if (inner == nullptr || !PyFunction_Check(inner)) {
            break;
        }
        function = reinterpret_cast<PyFunctionObject*>(inner);
    }
    return function;
}

/// Reads a Python function; `bound`: without its first parameter.
void read_function(PyFunctionObject* function, bool bound, call_facts& into) {
    PyFunctionObject* inner = unwrapped(function);
    if (inner == nullptr || !PyCode_Check(inner->func_code)) {
        return;
    }
    const ref method = bound ? ref::steal(PyMethod_New(reinterpret_cast<PyObject*>(inner), Py_None)) : ref();
    into.signature = signature_of(bound ? method.get() : reinterpret_cast<PyObject*>(inner));
    auto* code = reinterpret_cast<PyCodeObject*>(inner->func_code);
    const ref names = ref::steal(PyCode_GetVarnames(code));
    PyErr_Clear();
    const Py_ssize_t count = names ? std::min<Py_ssize_t>(PyTuple_GET_SIZE(names.get()), code->co_argcount + code->co_kwonlyargcount) : 0;
    for (Py_ssize_t i = std::max<Py_ssize_t>(code->co_posonlyargcount, bound ? 1 : 0); i < count; ++i) {
        into.parameters.push_back(name_text(PyTuple_GET_ITEM(names.get(), i)));
    }
}

/// The names in `(object, /, *, key=None)` that a call may give as keywords.
std::vector<std::string> parameters_in(std::string_view signature) {
    std::vector<std::string> names;
    std::size_t begin = signature.find('(');
    int depth = 0;
    char quote = 0;
    for (std::size_t at = begin; at < signature.size(); ++at) {
        const char c = signature[at];
        if (quote != 0) {
            quote = c == quote ? '\0' : quote;
            continue;
        }
        quote = c == '\'' || c == '"' ? c : '\0';
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if ((depth == 1 && c == ',') || depth == 0) {
            const std::string_view part = pyaichat::detail::trimmed(signature.substr(begin + 1, at - begin - 1));
            const std::string_view name = pyaichat::detail::trimmed(part.substr(0, part.find_first_of("=:")));
            if (name == "/") {
                names.clear();  // those before are positional only
            } else if (!name.empty() && name.find_first_of("*$.[ ") == std::string_view::npos) {
                names.emplace_back(name);
            }
            begin = at;
        }
        if (depth == 0) {
            break;
        }
    }
    return names;
}

/// Reads the documentation of a C function, which may begin with a signature: `len($module, obj, /)`, `--` and an empty line.
void read_text_signature(std::string_view name, const char* documentation, call_facts& into) {
    const std::string_view doc(documentation != nullptr ? documentation : "");
    const std::string_view last_name = name.substr(name.rfind('.') + 1);
    const std::size_t end = doc.find(")\n--\n\n");
    if (!doc.starts_with(std::string(last_name) + "(") || end > max_text_signature) {
        into.doc = first_line(doc);
        if (into.doc.starts_with(std::string(last_name) + "(")) {  // older documentation shows a call
            into.signature = into.doc;
        }
        return;
    }
    std::string signature(doc.substr(0, end + 1));
    if (const std::size_t self = signature.find("($"); self != std::string::npos) {
        const std::size_t next = signature.find_first_of(",)", self);
        const bool more = next != std::string::npos && signature[next] == ',';
        signature.erase(self + 1, next - self - (more ? 0 : 1));
        if (more) {
            const std::size_t rest = signature.find_first_not_of(", ", self + 1);
            signature.erase(self + 1, rest - self - 1);
        }
        if (signature.substr(self + 1).starts_with("/, ")) {
            signature.erase(self + 1, 3);
        } else if (signature.substr(self + 1) == "/)") {
            signature.erase(self + 1, 1);
        }
    }
    into.parameters = parameters_in(signature);
    into.signature = std::move(signature);
    into.doc = first_line(doc.substr(end + 6));
}

/// A function of a class that takes the object first: `__init__`, `__new__`, `__call__`. Null if it is not a Python function.
ref function_in_class(PyTypeObject* type, const char* name) {
    ref found = find_in_mro(type, name);
    if (found && Py_TYPE(found.get()) == &PyStaticMethod_Type) {  // `__new__`
        found = builtin_member(&PyStaticMethod_Type, found.get(), "__func__");
    }
    return found && PyFunction_Check(found.get()) ? found : ref();
}

void read_bound(const ref& function, const std::string& name, call_facts& into) {
    read_function(reinterpret_cast<PyFunctionObject*>(function.get()), true, into);
    const std::size_t arguments = into.signature.find('(');
    if (arguments != std::string::npos) {
        into.signature = name + into.signature.substr(arguments);
    }
}

void read_class(PyTypeObject* type, call_facts& into) {
    ref function = function_in_class(type, "__init__");
    if (!function) {
        function = function_in_class(type, "__new__");
    }
    if (function) {
        const std::string name = name_of(type).name;
        read_bound(function, name.substr(name.rfind('.') + 1), into);
    } else if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
        read_text_signature(type->tp_name, type->tp_doc, into);
    }
}

void read_callable(PyObject* object, call_facts& into) {
    PyTypeObject* type = Py_TYPE(object);
    if (PyFunctionObject* function = function_of(object)) {
        read_function(function, type == &PyMethod_Type, into);
    } else if (PyType_Check(object)) {
        read_class(reinterpret_cast<PyTypeObject*>(object), into);
    } else if (PyCFunction_Check(object)) {
        const PyMethodDef* method = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
        read_text_signature(method->ml_name, method->ml_doc, into);
    } else if (type == &PyMethodDescr_Type || type == &PyClassMethodDescr_Type) {
        const PyMethodDef* method = reinterpret_cast<PyMethodDescrObject*>(object)->d_method;
        read_text_signature(method->ml_name, method->ml_doc, into);
    } else if (const ref call = function_in_class(type, "__call__")) {
        read_bound(call, name_of(type).name, into);
    }
}

}  // namespace

call_facts call_facts_of(PyObject* object) {
    call_facts facts;
    read_callable(object, facts);
    if (const ref doc = doc_of(object); doc && facts.doc.empty()) {
        const ref beginning = ref::steal(PyUnicode_Substring(doc.get(), 0, max_read_doc));
        facts.doc = beginning ? first_line(to_utf8(beginning.get())) : std::string();
    }
    PyErr_Clear();
    return facts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
