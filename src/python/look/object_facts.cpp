#include "python/look/object_facts.hpp"

#include "python/look/adapter.hpp"
#include "python/look/attribute_index.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_value_chars = 200;
constexpr std::size_t max_method_names = 100;
constexpr Py_ssize_t max_name_chars = 200;
constexpr int max_parameters = 50;
constexpr Py_ssize_t max_judged_keys = 100'000;
constexpr Py_ssize_t max_doc_chars_in_facts = 400;

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
    const attribute_index index(object);
    attribute_reader reader(object);
    std::vector<attribute_place> methods;
    std::vector<attribute_place> data;
    for (const attribute_place& each : index.places()) {
        if (attribute_index::group_of(each.name) == 2) {
            continue;
        }
        const lookup found = reader.read(each.name, each.in_type, each.own);
        if (found.what != lookup::kind::missing) {  // missing: a slot that is not set
            (found.found() && is_callable_kind(found.value.get()) ? methods : data).push_back(each);
        }
    }
    const auto first = [](std::vector<attribute_place>& places, std::size_t limit) {
        const auto last = places.begin() + static_cast<std::ptrdiff_t>(std::min(limit, places.size()));
        std::partial_sort(places.begin(), last, places.end(), &attribute_index::before);
        return std::span(places.begin(), last);
    };
    json attributes = json::array();
    for (const attribute_place& each : first(data, options.rows)) {
        const lookup found = reader.read(each.name, each.in_type, each.own);
        if (found.found()) {
            PyObject* value = found.value.get();
            attributes.push_back(json::object({{"name", name_text(each.name)},
                                               {"type", name_of(Py_TYPE(value)).qualified()},
                                               {"value", named_value_text(each.name, value, value_text(value, options))}}));
        } else {
            attributes.push_back(json::object({{"name", name_text(each.name)}, {"lazy", true}}));  // reading it would run code
        }
    }
    json method_names = json::array();
    for (const attribute_place& each : first(methods, max_method_names)) {
        method_names.push_back(name_text(each.name));
    }
    facts["attributes"] = std::move(attributes);
    facts["attributes_total"] = data.size();
    facts["methods"] = std::move(method_names);
    facts["methods_total"] = methods.size();
    if (!index.complete()) {
        facts["attributes_cut"] = true;  // there are more than the totals say
    }
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
        std::string value = named_value_text(each.key.get(), each.value.get(), value_text(each.value.get(), options));
        if (each.key) {
            items.push_back(json::object({{"key", value_text(each.key.get(), options)}, {"value", std::move(value)}}));
        } else {
            items.push_back(std::move(value));
        }
    }
    return items;
}

/// The number of keys that are not hidden, among the first ones of a huge dict.
Py_ssize_t visible_keys(PyObject* dict) {
    Py_ssize_t count = PyDict_GET_SIZE(dict);
    Py_ssize_t left = max_judged_keys;
    for (dict_cursor each{dict}; left > 0 && each.next(); --left) {
        count -= hides_name(each.key) ? 1 : 0;
    }
    return count;
}

}  // namespace

std::string name_text(PyObject* name, std::string_view otherwise) {
    if (name == nullptr || !PyUnicode_Check(name) || PyUnicode_GET_LENGTH(name) <= max_name_chars) {
        return text_or(name, otherwise);
    }
    const ref beginning = ref::steal(PyUnicode_Substring(name, 0, max_name_chars));
    PyErr_Clear();
    return text_or(beginning.get(), otherwise) + "...";
}

std::string named_value_text(PyObject* name, PyObject* value, std::string text) {
    return masks_value(name, value) ? std::string(named_secret_mark) : std::move(text);
}

std::string type_name::qualified() const {
    return module == "builtins" || module == "__main__" || module == "?" ? name : module + "." + name;
}

type_name name_of(PyTypeObject* type) {
    type_name found;
    const ref qualified = ref::steal(PyType_GetQualName(type));
    PyErr_Clear();
    found.name = name_text(qualified.get(), short_name(type));
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0) {
        found.module = name_text(find_name(type_dict(type).get(), "__module__"));
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
            if (builtin == &PyDict_Type && hides_names()) {
                return visible_keys(object);
            }
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
    bool found = entries_.next();
    while (found && hides_name(entries_.key)) {
        found = entries_.next();
    }
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
    std::string out = name_text(function->func_name) + "(";
    const auto add = [&](const std::string& text) { out += (out.back() == '(' ? "" : ", ") + text; };
    const auto name_at = [&](int at) { return at < PyTuple_GET_SIZE(names.get()) ? name_text(PyTuple_GET_ITEM(names.get(), at)) : "?"; };
    const auto preset_text = [&](int at, PyObject* preset) {
        PyObject* name = at < PyTuple_GET_SIZE(names.get()) ? PyTuple_GET_ITEM(names.get(), at) : nullptr;
        return "=" + named_value_text(name, preset, short_text(preset, 40));
    };
    const int parameters = code->co_argcount + code->co_kwonlyargcount;
    const int last_positional = std::min(code->co_argcount, max_parameters);
    const int last_named = std::min(parameters, std::max(max_parameters, code->co_argcount));
    const auto end = [&](int shown) {
        if (shown < parameters) {
            add("... " + std::to_string(parameters - shown) + " more");
        }
        return out + ")";
    };

    for (int i = skipped; i < last_positional; ++i) {
        const int position = i - (code->co_argcount - with_default);
        add(name_at(i) + (position >= 0 ? preset_text(i, PyTuple_GET_ITEM(defaults, position)) : ""));
        if (i + 1 == code->co_posonlyargcount) {
            add("/");
        }
    }
    if (last_positional < code->co_argcount) {
        return end(last_positional);
    }
    int next = code->co_argcount + code->co_kwonlyargcount;
    if ((code->co_flags & CO_VARARGS) != 0) {
        add("*" + name_at(next++));
    } else if (code->co_kwonlyargcount > 0) {
        add("*");
    }
    for (int i = code->co_argcount; i < last_named; ++i) {
        PyObject* preset =
            i < PyTuple_GET_SIZE(names.get()) ? find_name(function->func_kwdefaults, PyTuple_GET_ITEM(names.get(), i)) : nullptr;
        add(name_at(i) + (preset != nullptr ? preset_text(i, preset) : ""));
    }
    if (last_named < parameters) {
        return end(last_named);
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
    if (masks_result(object)) {
        return std::string(named_secret_mark);
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
    const inspect_options allowed = {
        .depth = options.depth, .rows = sampled_items(options.rows), .columns = sampled_items(options.columns)};
    const PyFunctionObject* function = function_of(object);
    json facts = json::object({{"type", type_facts(object)}, {"summary", summary_of(object, 400)}, {"size", size ? json(*size) : json()}});
    if (const ref doc = doc_of(object); doc && (function != nullptr || PyType_Check(object) || PyModule_Check(object))) {
        const ref beginning = ref::steal(PyUnicode_Substring(doc.get(), 0, max_doc_chars_in_facts));
        facts["doc"] = text_or(beginning.get(), "");
    }
    if (function != nullptr) {
        const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
        facts["signature"] = signature_of(object);
        facts["source"] = json::object({{"file", to_utf8(code->co_filename)}, {"line", code->co_firstlineno}});
    }
    const adapter* known = find_adapter(object);
    if (known != nullptr && known->details != nullptr && !masks_result(object)) {
        facts["details"] = known->details(object, allowed);
    }
    if (known != nullptr && !known->shown.empty()) {
        add_shown_attributes(object, *known, allowed, facts);
    } else {
        add_attributes(object, allowed, facts);
    }
    if (is_container(object)) {
        facts["items"] = items_of(object, allowed);
        facts["items_total"] = size.value_or(0);
    }
    return facts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
