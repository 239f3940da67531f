#include "python/look/known_calls.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/static_lookup.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Whether a class decides about its instances and subclasses as `type` does.
bool uses_type_checks(PyObject* classes, const char* hook) {
    PyTypeObject* owner = nullptr;
    return PyType_Check(classes) && find_in_mro(Py_TYPE(classes), hook, &owner) && owner == &PyType_Type;
}

/// `isinstance` (`object` is the instance) and `issubclass` (`type` is the class), for a class or a tuple of them.
std::optional<bool> matches_class(look_context& context, PyObject* object, PyTypeObject* type, PyObject* classes, int depth = 0) {
    if (PyTuple_CheckExact(classes) && depth < 8) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); ++i) {
            const std::optional<bool> matches =
                context.spend(1) ? matches_class(context, object, type, PyTuple_GET_ITEM(classes, i), depth + 1) : std::nullopt;
            if (matches.value_or(true)) {
                return matches;
            }
        }
        return false;
    }
    if (object != nullptr && reinterpret_cast<PyObject*>(type) == classes) {
        return true;  // Python checks the exact class before the metaclass
    }
    if (!uses_type_checks(classes, object != nullptr ? "__instancecheck__" : "__subclasscheck__")) {
        context.refuse("the class decides by its own code what belongs to it");
        return std::nullopt;
    }
    if (PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(classes)) != 0) {
        return true;
    }
    // Python then reads `__class__`, which an object can compute.
    const lookup own = object != nullptr ? static_attribute(object, "__class__") : lookup{};
    if (object != nullptr && (!own.found() || own.value.get() != reinterpret_cast<PyObject*>(type))) {
        context.refuse("the object computes its __class__");
        return std::nullopt;
    }
    return false;
}

/// `hasattr`, and `getattr` if the value is asked for.
ref look_up(const known_call& call, bool value) {
    PyObject* const object = call.object(0);
    PyObject* const name = call.object(1);
    if (object == nullptr || name == nullptr || !PyUnicode_CheckExact(name)) {
        return call.context.refuse("the name of an attribute is a string");
    }
    constexpr std::size_t steps_of_lookup = 32;
    if (!call.context.spend(steps_of_lookup)) {
        return {};
    }
    const lookup found = static_attribute(object, name);
    if (found.what == lookup::kind::needs_code || found.what == lookup::kind::unfit) {
        return call.context.refuse(found.why);
    }
    if (!value) {
        return call.as_ref(found.found());
    }
    return found.found()       ? found.value
           : call.count() == 3 ? ref::share(call.object(2))
                               : call.context.raise("AttributeError", "'" + name_of(Py_TYPE(object)).name + "' object has no attribute '" +
                                                                          to_utf8(name) + "'");
}

}  // namespace

ref call_isinstance(const known_call& call) {
    PyObject* const object = call.object(0);
    PyObject* const classes = call.object(1);
    return object != nullptr && classes != nullptr ? call.as_ref(matches_class(call.context, object, Py_TYPE(object), classes)) : ref();
}

ref call_issubclass(const known_call& call) {
    PyObject* const type = call.object(0);
    PyObject* const classes = call.object(1);
    if (type == nullptr || classes == nullptr) {
        return {};
    }
    if (!PyType_Check(type) || Py_TYPE(type) != &PyType_Type) {
        return call.context.refuse("the first argument is not a class of the metaclass `type`");
    }
    return call.as_ref(matches_class(call.context, nullptr, reinterpret_cast<PyTypeObject*>(type), classes));
}

ref call_type(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? ref::share(reinterpret_cast<PyObject*>(Py_TYPE(object))) : ref();
}

ref call_id(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? call.context.checked(ref::steal(PyLong_FromVoidPtr(object))) : ref();
}

ref call_callable(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? call.as_ref(Py_TYPE(object)->tp_call != nullptr) : ref();
}

ref call_bool(const known_call& call) {
    PyObject* const object = call.object(0);
    return call.count() == 0 ? call.as_ref(false) : object != nullptr ? call.as_ref(truth_of(call.context, object)) : ref();
}

ref call_hasattr(const known_call& call) {
    return look_up(call, false);
}

ref call_getattr(const known_call& call) {
    return look_up(call, true);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
