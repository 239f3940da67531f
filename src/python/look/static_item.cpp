#include "python/look/static_lookup.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_plain_depth = 8;
/// The size of the largest dict that is searched for a key.
constexpr Py_ssize_t max_searched_keys = 5'000'000;

/// Whether comparing the key runs no user code: exact built-in scalars, and tuples of them.
bool is_plain(PyObject* key, int depth = 0) {
    if (key == Py_None || PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyBool_Check(key) || PyFloat_CheckExact(key) ||
        PyBytes_CheckExact(key) || PyComplex_CheckExact(key)) {
        return true;
    }
    if (!PyTuple_CheckExact(key) || depth == max_plain_depth) {
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
        if (!is_plain(PyTuple_GET_ITEM(key, i), depth + 1)) {
            return false;
        }
    }
    return true;
}

bool same_key(PyObject* left, PyObject* right) {
    if (PyUnicode_CheckExact(left) != PyUnicode_CheckExact(right) || PyBytes_CheckExact(left) != PyBytes_CheckExact(right)) {
        return false;  // never equal, and comparing str with bytes may warn
    }
    const int equal = PyObject_RichCompareBool(left, right, Py_EQ);
    if (equal < 0) {
        PyErr_Clear();
    }
    return equal > 0;
}

ref make_key(const path_key& key) {
    struct maker {
        ref operator()(path_key::none) const { return ref::share(Py_None); }
        ref operator()(bool value) const { return ref::share(value ? Py_True : Py_False); }
        ref operator()(const path_key::number& value) const { return ref::steal(PyLong_FromString(value.digits.c_str(), nullptr, 0)); }
        ref operator()(double value) const { return ref::steal(PyFloat_FromDouble(value)); }
        ref operator()(const std::string& value) const { return to_python(value); }
        ref operator()(const path_key::bytes& value) const {
            return ref::steal(PyBytes_FromStringAndSize(value.data.data(), static_cast<Py_ssize_t>(value.data.size())));
        }
        ref operator()(const path_key::tuple& values) const {
            ref tuple = ref::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
            for (std::size_t i = 0; tuple && i < values.size(); ++i) {
                ref each = make_key(values[i]);
                if (!each) {
                    return {};
                }
                PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), each.release());
            }
            return tuple;
        }
    };
    ref object = std::visit(maker{}, key.value);
    if (!object) {
        PyErr_Clear();
    }
    return object;
}

lookup item_of_dict(PyObject* dict, PyObject* key) {
    if (PyDict_GET_SIZE(dict) > max_searched_keys) {
        return lookup::refused("the dict is too large to be searched without running the code of its keys");
    }
    bool foreign_keys = false;
    for (dict_cursor each{dict}; each.next();) {
        if (!is_plain(each.key)) {
            foreign_keys = true;
        } else if (same_key(each.key, key)) {
            return lookup::of(ref::share(each.value));
        }
    }
    if (foreign_keys) {
        return lookup::refused("some of its keys define __eq__");
    }
    if (!PyDict_CheckExact(dict) && find_in_mro(Py_TYPE(dict), "__missing__")) {
        return lookup::refused("the key is missing, and the class defines __missing__");
    }
    return {};
}

/// Calls `[]` of a built-in sequence, which is C code for an integer.
lookup item_of_sequence(PyTypeObject* builtin, PyObject* object, PyObject* key) {
    if (!PyLong_Check(key)) {
        return {.what = lookup::kind::unfit, .why = "its items are numbered: the key must be an integer"};
    }
    lookup item = lookup::of(ref::steal(builtin->tp_as_mapping->mp_subscript(object, key)));
    PyErr_Clear();
    return item;
}

/// Whether `[]` on the object is the operator of the built-in class.
bool uses_items_of(PyObject* object, PyTypeObject* builtin) {
    PyTypeObject* owner = nullptr;
    return Py_TYPE(object) == builtin || (find_in_mro(Py_TYPE(object), "__getitem__", &owner) && owner == builtin);
}

}  // namespace

lookup static_item(PyObject* object, const path_key& key) {
    const ref key_object = make_key(key);
    if (!key_object) {
        return {.what = lookup::kind::unfit, .why = "the key is not a Python literal"};
    }
    if (PyDict_Check(object) && uses_items_of(object, &PyDict_Type)) {
        return item_of_dict(object, key_object.get());
    }
    for (PyTypeObject* builtin : {&PyList_Type, &PyTuple_Type, &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type, &PyRange_Type}) {
        if (PyObject_TypeCheck(object, builtin) && uses_items_of(object, builtin)) {
            return item_of_sequence(builtin, object, key_object.get());
        }
    }
    PyTypeObject* type = Py_TYPE(object);
    const bool has_items = PyType_Check(object) || (type->tp_as_mapping != nullptr && type->tp_as_mapping->mp_subscript != nullptr) ||
                           (type->tp_as_sequence != nullptr && type->tp_as_sequence->sq_item != nullptr);
    if (has_items) {
        return lookup::refused(std::string("item lookup on ") + type->tp_name + " objects runs their own code");
    }
    return {.what = lookup::kind::unfit, .why = std::string("'") + type->tp_name + "' object is not subscriptable"};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
