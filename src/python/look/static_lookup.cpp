#include "python/look/static_lookup.hpp"

#include "python/look/adapter.hpp"
#include "python/look/trusted_type.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <structmember.h>
#include <algorithm>
#include <cstring>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

bool is_name(PyObject* text, const char* name) {
    return PyUnicode_CompareWithASCIIString(text, name) == 0;
}

template <class Name>
ref search_mro(PyTypeObject* type, Name name, PyTypeObject** owner) {
    for (const class_namespace& each : namespaces_of(type)) {
        if (PyObject* value = find_name(each.names.get(), name)) {
            if (owner != nullptr) {
                *owner = reinterpret_cast<PyTypeObject*>(each.owner.get());
            }
            return ref::share(value);
        }
    }
    return {};
}

/// Whether C code computes this attribute of a built-in type from the object alone.
bool is_plain_getset(PyTypeObject* type, PyObject* name) {
    static const std::vector<std::pair<PyTypeObject*, std::vector<const char*>>> plain = {
        {&PyBaseObject_Type, {"__class__"}},
        {&PyType_Type, {"__name__", "__qualname__", "__bases__", "__dict__"}},  // `__module__` is found by hash: see `module_of`
        {&PyFunction_Type, {"__name__", "__qualname__"}},                       // reading the others calls audit hooks
        {reinterpret_cast<PyTypeObject*>(PyExc_BaseException), {"args", "__traceback__", "__cause__", "__context__"}},
        {&PyLong_Type, {"real", "imag", "numerator", "denominator"}},
        {&PyFloat_Type, {"real", "imag"}},
        {&PyCFunction_Type, {"__doc__", "__name__", "__qualname__"}},
        {&PyMethodDescr_Type, {"__doc__", "__name__", "__qualname__"}},
        {&PyWrapperDescr_Type, {"__doc__", "__name__", "__qualname__"}},
        {&PyGetSetDescr_Type, {"__doc__", "__qualname__"}},
        {&PyMemberDescr_Type, {"__doc__", "__qualname__"}}};
    static const std::vector<const char*> plain_of_datetime = {"year",        "month",  "day",  "hour", "minute",  "second",
                                                               "microsecond", "tzinfo", "fold", "days", "seconds", "microseconds"};
    const auto contains = [&](const std::vector<const char*>& names) {
        return std::any_of(names.begin(), names.end(), [&](const char* each) { return is_name(name, each); });
    };
    const auto entry = std::find_if(plain.begin(), plain.end(), [&](const auto& each) { return each.first == type; });
    if (entry != plain.end()) {
        return contains(entry->second);
    }
    return is_c_class(type) && std::string_view(type->tp_name).starts_with("datetime.") && contains(plain_of_datetime);
}

/// Calls `__get__` of a C descriptor. Null, without an error set, if it raises.
ref call_get(PyObject* descriptor, PyObject* object, PyTypeObject* type) {
    ref value = ref::steal(Py_TYPE(descriptor)->tp_descr_get(descriptor, object, reinterpret_cast<PyObject*>(type)));
    PyErr_Clear();
    return value;
}

/// `__module__` of a class. The descriptor of `type` searches the class's dict by hash, which runs `__eq__` of a key that collides.
lookup module_of(PyTypeObject* type, PyObject* descriptor) {
    const bool searches = (type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
    return lookup::of(searches ? ref::share(find_name(type_dict(type).get(), "__module__"))
                               : call_get(descriptor, reinterpret_cast<PyObject*>(type), Py_TYPE(type)));
}

/// Reads through a C descriptor that only reads; any other descriptor is `needs_code`.
lookup read_data_descriptor(PyObject* descriptor, PyObject* object) {
    PyTypeObject* kind = Py_TYPE(descriptor);
    bool plain = false;
    if (kind == &PyGetSetDescr_Type && PyDescr_TYPE(descriptor) == &PyType_Type && PyType_Check(object) &&
        is_name(PyDescr_NAME(descriptor), "__module__")) {
        return module_of(reinterpret_cast<PyTypeObject*>(object), descriptor);
    }
    if (kind == &PyMemberDescr_Type) {
        // Reading a restricted member calls audit hooks, which may be Python code.
        plain = (reinterpret_cast<PyMemberDescrObject*>(descriptor)->d_member->flags & RESTRICTED) == 0;
    } else if (kind == &PyGetSetDescr_Type) {
        plain = is_plain_getset(PyDescr_TYPE(descriptor), PyDescr_NAME(descriptor));
    } else {
        plain = is_c_class(kind) && std::string_view(kind->tp_name).ends_with("collections._tuplegetter");  // a field of a named tuple
    }
    if (!plain) {
        return lookup::refused("it is computed by a " + std::string(short_name(kind)));
    }
    return lookup::of(call_get(descriptor, object, Py_TYPE(object)));  // null: a slot that is not set
}

/// Binds a class attribute, as a lookup through an instance (`object` set) or through the class does.
lookup bind(PyObject* found, PyObject* object, PyTypeObject* type) {
    const ref attribute = ref::share(found);
    PyTypeObject* kind = Py_TYPE(attribute.get());
    if (kind->tp_descr_get == nullptr) {
        return lookup::of(attribute);
    }
    PyObject* owner = reinterpret_cast<PyObject*>(type);
    if (kind == &PyFunction_Type) {
        return lookup::of(object == nullptr ? attribute : ref::steal(PyMethod_New(attribute.get(), object)));
    }
    if (kind == &PyClassMethod_Type || kind == &PyStaticMethod_Type) {
        const ref inner = builtin_member(kind, attribute.get(), "__func__");
        if (kind == &PyStaticMethod_Type && inner) {
            return lookup::of(inner);
        }
        if (inner && Py_TYPE(inner.get()) == &PyFunction_Type) {
            return lookup::of(ref::steal(PyMethod_New(inner.get(), owner)));
        }
    } else if (kind == &PyMethodDescr_Type || kind == &PyWrapperDescr_Type || kind == &PyClassMethodDescr_Type) {
        if (const ref bound = call_get(attribute.get(), object, type)) {
            return lookup::of(bound);
        }
    } else if (object == nullptr && (kind == &PyProperty_Type || kind == &PyMemberDescr_Type || kind == &PyGetSetDescr_Type)) {
        return lookup::of(attribute);
    }
    return lookup::refused("it is computed by a " + std::string(short_name(kind)));
}

/// Whether objects of `type` look attributes up like the built-in class `expected`, apart from a `__getattr__`.
bool looks_up_like(PyTypeObject* type, PyTypeObject* expected) {
    if (type->tp_getattro == expected->tp_getattro) {
        return true;
    }
    // A class with `__getattr__` has another function in its slot, which calls `__getattribute__` first.
    const ref own = find_in_mro(type, "__getattribute__");
    return find_in_mro(type, "__getattr__") && own && Py_TYPE(own.get()) == &PyWrapperDescr_Type &&
           reinterpret_cast<PyWrapperDescrObject*>(own.get())->d_wrapped == reinterpret_cast<void*>(expected->tp_getattro);
}

}  // namespace

std::string_view short_name(PyTypeObject* type) noexcept {
    return pyaichat::detail::utf8_prefix(type->tp_name, 200);
}

PyObject* find_name(PyObject* dict, PyObject* name) {
    if (hides_name(name)) {
        return nullptr;
    }
    const Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    for (dict_cursor each{dict}; each.next();) {
        if (each.key == name ||
            (PyUnicode_CheckExact(each.key) && PyUnicode_GET_LENGTH(each.key) == length && PyUnicode_Compare(each.key, name) == 0)) {
            return each.value;
        }
    }
    return nullptr;
}

PyObject* find_name(PyObject* dict, const char* name) {
    const auto length = static_cast<Py_ssize_t>(std::strlen(name));
    for (dict_cursor each{dict}; each.next();) {
        if (PyUnicode_CheckExact(each.key) && PyUnicode_GET_LENGTH(each.key) == length && is_name(each.key, name)) {
            return each.value;
        }
    }
    return nullptr;
}

std::vector<class_namespace> namespaces_of(PyTypeObject* type) {
    std::vector<class_namespace> found;
    PyObject* mro = type->tp_mro;
    const Py_ssize_t count = mro != nullptr && PyTuple_Check(mro) ? PyTuple_GET_SIZE(mro) : 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* each = PyTuple_GET_ITEM(mro, i);
        if (PyType_Check(each)) {
            found.push_back({ref::share(each), type_dict(reinterpret_cast<PyTypeObject*>(each))});
        }
    }
    return found;
}

ref find_in_mro(PyTypeObject* type, PyObject* name, PyTypeObject** owner) {
    return search_mro(type, name, owner);
}

ref find_in_mro(PyTypeObject* type, const char* name, PyTypeObject** owner) {
    return search_mro(type, name, owner);
}

ref instance_dict(PyObject* object) {
    if (PyType_Check(object) || Py_TYPE(object)->tp_dictoffset == 0) {
        return {};
    }
    if (PyModule_Check(object)) {
        return ref::share(PyModule_GetDict(object));
    }
    ref names = ref::steal(PyObject_GenericGetDict(object, nullptr));
    if (!names) {
        PyErr_Clear();
    }
    return names;
}

attribute_reader::attribute_reader(PyObject* object) : object_(object), type_(Py_TYPE(object)), dict_(instance_dict(object)) {
    if (PyType_Check(object)) {
        kind_ = looks_up_like(type_, &PyType_Type) ? kind::of_class : kind::refused;
        why_ = "its metaclass defines __getattribute__";
    } else if (type_ == &PyMethod_Type) {
        kind_ = kind::method;
    } else if (PyModule_Check(object) && looks_up_like(type_, &PyModule_Type)) {
        kind_ = kind::module;
    } else if (!looks_up_like(type_, &PyBaseObject_Type)) {
        kind_ = kind::refused;
        why_ = "attribute lookup on " + std::string(short_name(type_)) + " objects runs their own code";
    }
}

lookup attribute_reader::read(PyObject* name, PyObject* in_type, PyObject* own) {
    if (kind_ == kind::refused) {
        return lookup::refused(why_);
    }
    if (kind_ == kind::method) {
        if (is_name(name, "__func__") || is_name(name, "__self__")) {
            return lookup::of(ref::share(is_name(name, "__func__") ? PyMethod_GET_FUNCTION(object_) : PyMethod_GET_SELF(object_)));
        }
        if (Py_TYPE(PyMethod_GET_FUNCTION(object_)) == &PyMethod_Type) {
            return lookup::refused("it is a method of a method");  // the chain may be longer than the stack
        }
        return static_attribute(PyMethod_GET_FUNCTION(object_), name);
    }
    if (dict_ && is_name(name, "__dict__")) {
        const bool usual = in_type != nullptr && (Py_TYPE(in_type) == &PyGetSetDescr_Type || Py_TYPE(in_type) == &PyMemberDescr_Type);
        return usual ? lookup::of(dict_) : lookup::refused("its class defines __dict__");
    }
    if (in_type != nullptr && Py_TYPE(in_type)->tp_descr_set != nullptr) {
        return read_data_descriptor(in_type, object_);
    }
    if (own != nullptr) {
        return kind_ == kind::of_class ? bind(own, nullptr, reinterpret_cast<PyTypeObject*>(object_)) : lookup::of(ref::share(own));
    }
    if (kind_ == kind::module && find_name(dict_.get(), "__getattr__") != nullptr) {
        return lookup::refused("only the module's __getattr__ could find it");
    }
    return in_type != nullptr ? bind(in_type, object_, type_) : absent();
}

lookup attribute_reader::absent() {
    if (!may_be_computed_) {
        may_be_computed_ = static_cast<bool>(find_in_mro(type_, "__getattr__"));
    }
    return *may_be_computed_ ? lookup::refused("only the class's __getattr__ could find it") : lookup{};
}

lookup static_attribute(PyObject* object, PyObject* name) {
    if (const adapter* known = PyType_Check(object) ? nullptr : find_adapter(object); known != nullptr && known->attribute != nullptr) {
        if (hides_name(name)) {
            return {};
        }
        if (std::optional<lookup> found = known->attribute(object, text_or(name))) {
            return *std::move(found);
        }
    }
    const ref in_type = find_in_mro(Py_TYPE(object), name);
    const ref own = PyType_Check(object) ? find_in_mro(reinterpret_cast<PyTypeObject*>(object), name)
                                         : ref::share(find_name(instance_dict(object).get(), name));
    return attribute_reader(object).read(name, in_type.get(), own.get());
}

lookup static_attribute(PyObject* object, std::string_view name) {
    const ref text = to_python(name);
    if (!text) {
        PyErr_Clear();
        return {};
    }
    return static_attribute(object, text.get());
}

ref builtin_member(PyTypeObject* type, PyObject* object, const char* name) {
    const ref descriptor = find_in_mro(type, name);
    const bool reads = descriptor && (Py_TYPE(descriptor.get()) == &PyMemberDescr_Type || Py_TYPE(descriptor.get()) == &PyGetSetDescr_Type);
    return reads ? call_get(descriptor.get(), object, Py_TYPE(object)) : ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
