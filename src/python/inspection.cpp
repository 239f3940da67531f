#include "python/inspection.hpp"

#include "python/member_names.hpp"
#include "python/object_facts.hpp"
#include "python/static_lookup.hpp"
#include "python/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

#include <string>
#include <utility>

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
    add_attributes(object, options, facts);
    if (is_container(object)) {
        facts["items"] = items_of(object, options);
        facts["items_total"] = size.value_or(0);
    }
    return facts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
