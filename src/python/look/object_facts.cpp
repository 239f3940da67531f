#include "python/look/object_facts.hpp"

#include "python/look/adapter.hpp"
#include "python/look/member_names.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_value_chars = 200;
constexpr std::size_t max_method_names = 100;

std::string value_text(PyObject* value, const inspect_options& options) {
    const printed text = print_structure(
        value, {.max_chars = max_value_chars, .work_budget = max_value_chars, .max_items = options.columns, .max_depth = options.depth});
    return text.clipped ? text.text + "..." : text.text;
}

bool is_callable_kind(PyObject* value) {
    PyTypeObject* type = Py_TYPE(value);
    return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyCFunction_Type || type == &PyMethodDescr_Type ||
           type == &PyWrapperDescr_Type || type == &PyClassMethodDescr_Type;
}

void add_attributes(PyObject* object, const inspect_options& options, json& facts) {
    json attributes = json::array();
    json methods = json::array();
    std::size_t total = 0;
    for (const std::string& name : member_names(object)) {
        if (name.starts_with("__")) {
            continue;
        }
        const lookup found = static_attribute(object, name);
        if (found.found() && is_callable_kind(found.value.get())) {
            if (methods.size() < max_method_names) {
                methods.push_back(name);
            }
        } else if (++total <= options.rows && found.found()) {
            attributes.push_back(json::object({{"name", name},
                                               {"type", name_of(Py_TYPE(found.value.get())).qualified()},
                                               {"value", value_text(found.value.get(), options)}}));
        } else if (total <= options.rows && found.what != lookup::kind::missing) {
            attributes.push_back(json::object({{"name", name}, {"lazy", true}}));  // reading it would run code
        }
    }
    facts["attributes"] = std::move(attributes);
    facts["attributes_total"] = total;
    facts["methods"] = std::move(methods);
}

/// Adds the attributes that the adapter names. The methods of a large library would hide them.
void add_shown_attributes(PyObject* object, const adapter& known, const inspect_options& options, json& facts) {
    json attributes = json::array();
    for (const std::string_view name : known.shown) {
        if (const lookup found = static_attribute(object, name); found.found()) {
            attributes.push_back(json::object({{"name", name},
                                               {"type", name_of(Py_TYPE(found.value.get())).qualified()},
                                               {"value", value_text(found.value.get(), options)}}));
        }
    }
    facts["attributes_total"] = attributes.size();
    facts["attributes"] = std::move(attributes);
    facts["methods"] = json::array();
    facts["methods_left_out"] = "get_dir lists all members";
}

json items_of(PyObject* container, const inspect_options& options) {
    json items = json::array();
    for (item_walk each(container); items.size() < options.rows && each.next();) {
        std::string value = value_text(each.value.get(), options);
        if (each.key) {
            items.push_back(json::object({{"key", value_text(each.key.get(), options)}, {"value", std::move(value)}}));
        } else {
            items.push_back(std::move(value));
        }
    }
    return items;
}

}  // namespace

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
    const adapter* known = find_adapter(object);
    return known != nullptr && known->length != nullptr ? known->length(object) : std::nullopt;
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
    if (const adapter* known = find_adapter(object); known != nullptr && known->text != nullptr) {
        return known->summary != nullptr ? pyaichat::detail::one_line(known->summary(object), max_chars) : short_text(object, max_chars);
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

json type_facts(PyObject* object) {
    const type_name name = name_of(Py_TYPE(object));
    return json::object({{"name", name.name}, {"module", name.module}, {"qualified", name.qualified()}});
}

json inspect_object(PyObject* object, const inspect_options& options) {
    const std::optional<std::int64_t> size = size_of(object);
    const PyFunctionObject* function = function_of(object);
    json facts = json::object({{"type", type_facts(object)}, {"summary", summary_of(object, 400)}, {"size", size ? json(*size) : json()}});
    if (const ref doc = doc_of(object); doc && (function != nullptr || PyType_Check(object) || PyModule_Check(object))) {
        facts["doc"] = std::string(pyaichat::detail::utf8_prefix(to_utf8(doc.get()), 400));
    }
    if (function != nullptr) {
        const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
        facts["signature"] = signature_of(object);
        facts["source"] = json::object({{"file", to_utf8(code->co_filename)}, {"line", code->co_firstlineno}});
    }
    const adapter* known = find_adapter(object);
    if (known != nullptr && known->details != nullptr) {
        facts["details"] = known->details(object, options);
    }
    if (known != nullptr && !known->shown.empty()) {
        add_shown_attributes(object, *known, options, facts);
    } else {
        add_attributes(object, options, facts);
    }
    if (is_container(object)) {
        facts["items"] = items_of(object, options);
        facts["items_total"] = size.value_or(0);
    }
    return facts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
