#include "python/look/host_adapters.hpp"

#include "python/look/adapter.hpp"
#include "python/look/adapters/families.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {

namespace {

constexpr std::size_t max_host_text = 400;
constexpr std::size_t max_host_facts = 8 * 1024;
constexpr std::size_t max_host_depth = 32;

std::string_view last_part(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

object_view view_of(PyObject* object) {
    Py_INCREF(object);
    return object_view(std::shared_ptr<void>(object, [](void* held) { Py_DECREF(static_cast<PyObject*>(held)); }));
}

std::optional<object_view> view_of(const lookup& found) {
    return found.found() ? std::optional(view_of(found.value.get())) : std::nullopt;
}

object_description describe_by_host(PyObject* object) {
    const host_adapters* types = adapter_use::host();
    const std::shared_ptr<const describe_function> describe = types == nullptr ? nullptr : types->find(object);
    if (!describe) {
        return {};
    }
    const auto failed = [](std::string_view why) {
        return object_description{"<the host could not describe this object: " + std::string(why) + ">"};
    };
    object_description description = guarded([&] { return (*describe)(view_of(object)); }, failed);
    PyErr_Clear();
    description.text = pyaichat::detail::one_line(description.text, max_host_text);
    if (nests_deeper_than(description.facts, max_host_depth) || dump_json(description.facts).size() > max_host_facts) {
        description.facts = json::object({{"note", "the facts of the host are left out: they exceed 8 KiB or 32 levels"}});
    }
    return description;
}

adapted_text host_text(PyObject* object, std::size_t) {
    std::string text = describe_by_host(object).text;
    return {.head = text.empty() ? "<" + name_of(Py_TYPE(object)).qualified() + " object>" : std::move(text)};
}

json host_details(PyObject* object, const inspect_options&) {
    return describe_by_host(object).facts;
}

constexpr adapter host_adapter = {.text = &host_text, .details = &host_details};

}  // namespace

void host_adapters::add(std::string type_name, describe_function describe) {
    const std::lock_guard lock(mutex_);
    types_[std::move(type_name)] = std::make_shared<const describe_function>(std::move(describe));
    any_ = true;
}

std::shared_ptr<const describe_function> host_adapters::find(PyObject* object) const {
    if (!any_) {
        return nullptr;
    }
    PyTypeObject* type = Py_TYPE(object);
    const std::string_view short_name = last_part(type->tp_name);
    const std::lock_guard lock(mutex_);
    for (const auto& [name, describe] : types_) {
        if (last_part(name) != short_name) {
            continue;
        }
        // The class of a module is known by identity; a class of the session has no module that could tell.
        const std::size_t dot = name.rfind('.');
        const bool same = is_c_class(type)           ? name == type->tp_name
                          : dot == std::string::npos ? name_of(type).qualified() == name
                                                     : is_class_of(type, name.substr(0, dot).c_str(), name.c_str() + dot + 1);
        if (same) {
            return describe;
        }
    }
    return nullptr;
}

const adapter* find_host_adapter(PyObject* object) {
    const host_adapters* types = adapter_use::host();
    return types != nullptr && types->find(object) ? &host_adapter : nullptr;
}

}  // namespace detail

std::string object_view::type_name() const {
    return detail::name_of(Py_TYPE(static_cast<PyObject*>(raw()))).qualified();
}

std::optional<object_view> object_view::attribute(std::string_view name) const {
    return detail::view_of(detail::static_attribute(static_cast<PyObject*>(raw()), name));
}

std::optional<object_view> object_view::item(std::int64_t key) const {
    const detail::ref number = detail::ref::steal(PyLong_FromLongLong(key));
    return number ? detail::view_of(detail::static_item(static_cast<PyObject*>(raw()), number.get())) : std::nullopt;
}

std::optional<object_view> object_view::item(std::string_view key) const {
    const detail::ref text = detail::to_python(key);
    return text ? detail::view_of(detail::static_item(static_cast<PyObject*>(raw()), text.get())) : std::nullopt;
}

std::optional<std::int64_t> object_view::as_integer() const {
    auto* const object = static_cast<PyObject*>(raw());
    if (!PyLong_Check(object)) {
        return std::nullopt;
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<double> object_view::as_number() const {
    auto* const object = static_cast<PyObject*>(raw());
    if (PyFloat_Check(object)) {
        return PyFloat_AS_DOUBLE(object);
    }
    if (!PyLong_Check(object)) {
        return std::nullopt;
    }
    const double value = PyLong_AsDouble(object);
    const bool fits = PyErr_Occurred() == nullptr;
    PyErr_Clear();
    return fits ? std::optional(value) : std::nullopt;
}

std::optional<std::string> object_view::as_text() const {
    auto* const object = static_cast<PyObject*>(raw());
    return PyUnicode_Check(object) ? std::optional(detail::to_utf8(object)) : std::nullopt;
}

std::optional<std::int64_t> object_view::size() const {
    return detail::size_of(static_cast<PyObject*>(raw()));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
