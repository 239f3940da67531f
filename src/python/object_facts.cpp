#include "python/object_facts.hpp"

#include "python/static_lookup.hpp"
#include "python/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

std::string type_name::qualified() const {
    return module == "builtins" || module == "__main__" || module == "?" ? name : module + "." + name;
}

type_name name_of(PyTypeObject* type) {
    type_name found;
    const ref qualified = ref::steal(PyType_GetQualName(type));
    PyErr_Clear();
    found.name = text_or(qualified.get(), type->tp_name);
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0) {
        found.module = text_or(find_name(type_dict(type).get(), "__module__"));
    } else {
        const std::string_view full = type->tp_name;
        const std::size_t dot = full.rfind('.');
        found.module = dot == std::string_view::npos ? "builtins" : std::string(full.substr(0, dot));
    }
    return found;
}

std::optional<std::int64_t> size_of(PyObject* object) {
    for (PyTypeObject* builtin : {&PyUnicode_Type, &PyList_Type, &PyTuple_Type, &PyDict_Type, &PySet_Type, &PyFrozenSet_Type, &PyBytes_Type,
                                  &PyByteArray_Type, &PyRange_Type}) {
        if (PyObject_TypeCheck(object, builtin)) {
            // C code of the built-in class, also where a subclass defines `__len__`.
            const PyMappingMethods* mapping = builtin->tp_as_mapping;
            const Py_ssize_t size = mapping != nullptr ? mapping->mp_length(object) : builtin->tp_as_sequence->sq_length(object);
            PyErr_Clear();  // a range may be too long to count
            return size < 0 ? std::nullopt : std::optional<std::int64_t>(size);
        }
    }
    return std::nullopt;
}

bool is_container(PyObject* object) {
    return PyList_Check(object) || PyTuple_Check(object) || PyDict_Check(object) || PyAnySet_Check(object);
}

item_walk::item_walk(PyObject* container) : entries_{container} {
    if (PyAnySet_Check(container)) {
        iterator_ = ref::steal((PyObject_TypeCheck(container, &PyFrozenSet_Type) ? PyFrozenSet_Type : PySet_Type).tp_iter(container));
    }
}

bool item_walk::next() {
    PyObject* const container = entries_.dict;
    if (PyList_Check(container) || PyTuple_Check(container)) {
        const Py_ssize_t at = position_++;
        const bool found = at < Py_SIZE(container);
        value = ref::share(!found ? nullptr : PyList_Check(container) ? PyList_GET_ITEM(container, at) : PyTuple_GET_ITEM(container, at));
        return found;
    }
    if (iterator_) {
        value = ref::steal(Py_TYPE(iterator_.get())->tp_iternext(iterator_.get()));
        PyErr_Clear();
        return static_cast<bool>(value);
    }
    const bool found = entries_.next();
    key = ref::share(found ? entries_.key : nullptr);
    value = ref::share(found ? entries_.value : nullptr);
    return found;
}

PyFunctionObject* function_of(PyObject* object) {
    if (Py_TYPE(object) == &PyMethod_Type) {
        object = PyMethod_GET_FUNCTION(object);
    }
    return PyFunction_Check(object) ? reinterpret_cast<PyFunctionObject*>(object) : nullptr;
}

std::string signature_of(PyObject* object) {
    const PyFunctionObject* function = function_of(object);
    if (function == nullptr || !PyCode_Check(function->func_code)) {
        return {};
    }
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    const ref names = ref::steal(PyCode_GetVarnames(code));
    if (!names) {
        PyErr_Clear();
        return {};
    }
    PyObject* defaults = function->func_defaults;
    const int with_default = defaults != nullptr && PyTuple_Check(defaults) ? static_cast<int>(PyTuple_GET_SIZE(defaults)) : 0;
    const int skipped = Py_TYPE(object) == &PyMethod_Type && code->co_argcount > 0 ? 1 : 0;  // `self`
    std::string out = text_or(function->func_name) + "(";
    const auto add = [&](const std::string& text) { out += (out.back() == '(' ? "" : ", ") + text; };
    const auto name_at = [&](int at) { return at < PyTuple_GET_SIZE(names.get()) ? text_or(PyTuple_GET_ITEM(names.get(), at)) : "?"; };

    for (int i = skipped; i < code->co_argcount; ++i) {
        const int position = i - (code->co_argcount - with_default);
        add(name_at(i) + (position >= 0 ? "=" + short_text(PyTuple_GET_ITEM(defaults, position), 40) : ""));
        if (i + 1 == code->co_posonlyargcount) {
            add("/");
        }
    }
    int next = code->co_argcount + code->co_kwonlyargcount;
    if ((code->co_flags & CO_VARARGS) != 0) {
        add("*" + name_at(next++));
    } else if (code->co_kwonlyargcount > 0) {
        add("*");
    }
    for (int i = code->co_argcount; i < code->co_argcount + code->co_kwonlyargcount; ++i) {
        PyObject* preset =
            i < PyTuple_GET_SIZE(names.get()) ? find_name(function->func_kwdefaults, PyTuple_GET_ITEM(names.get(), i)) : nullptr;
        add(name_at(i) + (preset != nullptr ? "=" + short_text(preset, 40) : ""));
    }
    if ((code->co_flags & CO_VARKEYWORDS) != 0) {
        add("**" + name_at(next));
    }
    return out + ")";
}

ref doc_of(PyObject* object) {
    const ref doc = PyType_Check(object) ? ref::share(find_name(type_dict(reinterpret_cast<PyTypeObject*>(object)).get(), "__doc__"))
                                         : static_attribute(object, "__doc__").value;
    return doc && PyUnicode_Check(doc.get()) ? doc : ref();
}

std::string summary_of(PyObject* object, std::size_t max_chars) {
    if (const std::string signature = signature_of(object); !signature.empty()) {
        return pyaichat::detail::one_line("def " + signature, max_chars);
    }
    const std::optional<std::int64_t> size = size_of(object);
    const bool worth_counting =
        size && *size > 0 && (PyUnicode_Check(object) || PyBytes_Check(object) ? *size > 60 : !PyRange_Check(object));
    if (!worth_counting) {
        return short_text(object, max_chars);
    }
    const std::string type = name_of(Py_TYPE(object)).qualified();
    const std::string head = PyUnicode_Check(object) ? type + " of " + pyaichat::detail::counted(*size, "character")
                             : PyBytes_Check(object) || PyByteArray_Check(object) ? type + " of " + pyaichat::detail::counted(*size, "byte")
                                                                                  : type + " of " + std::to_string(*size);
    return head + ": " + short_text(object, max_chars > head.size() + 12 ? max_chars - head.size() : 12);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
