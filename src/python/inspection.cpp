#include "python/inspection.hpp"

#include "python/member_names.hpp"
#include "python/object_facts.hpp"
#include "python/static_lookup.hpp"
#include "python/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_value_chars = 200;
constexpr std::size_t max_method_names = 100;

class inspector {
public:
    inspector(PyObject* object, const inspect_options& options) : object_(object), options_(options) {}

    json run() {
        json facts = json::object();
        facts["type"] = type_facts(object_);
        facts["summary"] = summary_of(object_, 400);
        const std::optional<std::int64_t> size = size_of(object_);
        facts["size"] = size ? json(*size) : json();
        if (const ref doc = doc_of(object_); doc && (function_of(object_) != nullptr || PyType_Check(object_) || PyModule_Check(object_))) {
            facts["doc"] = std::string(pyaichat::detail::utf8_prefix(to_utf8(doc.get()), 400));
        }
        add_function(facts);
        add_attributes(facts);
        add_items(facts);
        return facts;
    }

private:
    [[nodiscard]] std::string value_text(PyObject* value) const {
        const printed text = print_structure(
            value,
            {.max_chars = max_value_chars, .work_budget = max_value_chars, .max_items = options_.columns, .max_depth = options_.depth});
        return text.clipped ? text.text + "..." : text.text;
    }

    void add_function(json& facts) const {
        const PyFunctionObject* function = function_of(object_);
        if (function == nullptr) {
            return;
        }
        facts["signature"] = signature_of(object_);
        const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
        json source = json::object();
        source["file"] = to_utf8(code->co_filename);
        source["line"] = code->co_firstlineno;
        facts["source"] = std::move(source);
    }

    static bool is_callable_kind(PyObject* value) {
        PyTypeObject* type = Py_TYPE(value);
        return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyCFunction_Type || type == &PyMethodDescr_Type ||
               type == &PyWrapperDescr_Type || type == &PyClassMethodDescr_Type;
    }

    void add_attributes(json& facts) const {
        json attributes = json::array();
        json methods = json::array();
        std::size_t total = 0;
        for (const std::string& name : member_names(object_)) {
            if (name.starts_with("__")) {
                continue;
            }
            const ref key = to_python(name);
            const lookup found = static_attribute(object_, key.get());
            if (found.found() && is_callable_kind(found.value.get())) {
                if (methods.size() < max_method_names) {
                    methods.push_back(name);
                }
                continue;
            }
            if (++total > options_.rows || found.what == lookup::kind::missing) {
                continue;
            }
            json attribute = json::object();
            attribute["name"] = name;
            if (found.found()) {
                attribute["type"] = name_of(Py_TYPE(found.value.get())).qualified();
                attribute["value"] = value_text(found.value.get());
            } else {
                attribute["lazy"] = true;  // reading it would run code
            }
            attributes.push_back(std::move(attribute));
        }
        facts["attributes"] = std::move(attributes);
        facts["attributes_total"] = total;
        facts["methods"] = std::move(methods);
    }

    void add_items(json& facts) const {
        json items = json::array();
        const auto limit = static_cast<Py_ssize_t>(options_.rows);
        if (PyDict_Check(object_)) {
            Py_ssize_t position = 0;
            PyObject* key = nullptr;
            PyObject* value = nullptr;
            while (static_cast<Py_ssize_t>(items.size()) < limit && PyDict_Next(object_, &position, &key, &value) != 0) {
                json item = json::object();
                item["key"] = value_text(key);
                item["value"] = value_text(value);
                items.push_back(std::move(item));
            }
        } else if (PyList_Check(object_) || PyTuple_Check(object_)) {
            const Py_ssize_t count = PyList_Check(object_) ? PyList_GET_SIZE(object_) : PyTuple_GET_SIZE(object_);
            for (Py_ssize_t i = 0; i < std::min(count, limit); ++i) {
                items.push_back(value_text(PyList_Check(object_) ? PyList_GET_ITEM(object_, i) : PyTuple_GET_ITEM(object_, i)));
            }
        } else if (PyAnySet_Check(object_)) {
            PyTypeObject& type = PyObject_TypeCheck(object_, &PyFrozenSet_Type) ? PyFrozenSet_Type : PySet_Type;
            const ref iterator = ref::steal(type.tp_iter(object_));
            while (iterator && static_cast<Py_ssize_t>(items.size()) < std::min(limit, PySet_GET_SIZE(object_))) {
                const ref each = ref::steal(Py_TYPE(iterator.get())->tp_iternext(iterator.get()));
                if (!each) {
                    break;
                }
                items.push_back(value_text(each.get()));
            }
            PyErr_Clear();
        } else {
            return;
        }
        facts["items_total"] = size_of(object_).value_or(0);
        facts["items"] = std::move(items);
    }

    PyObject* object_;
    inspect_options options_;
};

}  // namespace

json type_facts(PyObject* object) {
    const type_name name = name_of(Py_TYPE(object));
    json facts = json::object();
    facts["name"] = name.name;
    facts["module"] = name.module;
    facts["qualified"] = name.qualified();
    return facts;
}

json inspect_object(PyObject* object, const inspect_options& options) {
    return inspector(object, options).run();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
