#include "python/static_lookup.hpp"

#include <limits>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_plain_depth = 8;

/// Whether comparing the object runs nobody's code: exact built-in scalars, and tuples of them.
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
        return false;  // never equal, and comparing text with bytes may warn
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
    ref made = std::visit(maker{}, key.value);
    if (!made) {
        PyErr_Clear();
    }
    return made;
}

lookup item_of_dict(PyObject* dict, PyObject* key) {
    if (PyDict_GET_SIZE(dict) > max_searched_keys) {
        return {.what = lookup::kind::needs_code, .why = "the dict is too large to be searched without running code of its keys"};
    }
    bool foreign_keys = false;
    Py_ssize_t position = 0;
    PyObject* each = nullptr;
    PyObject* value = nullptr;
    while (PyDict_Next(dict, &position, &each, &value) != 0) {
        if (!is_plain(each)) {
            foreign_keys = true;
        } else if (same_key(each, key)) {
            return {.what = lookup::kind::found, .value = ref::share(value)};
        }
    }
    if (foreign_keys) {
        return {.what = lookup::kind::needs_code, .why = "some of its keys have an __eq__ of their own"};
    }
    if (!PyDict_CheckExact(dict) && find_in_mro(Py_TYPE(dict), "__missing__")) {
        return {.what = lookup::kind::needs_code, .why = "there is no such key, and its class has a __missing__ of its own"};
    }
    return {};
}

/// The position meant by an index into `size` items, or nothing when it is outside.
std::optional<Py_ssize_t> position_of(PyObject* key, Py_ssize_t size) {
    int overflow = 0;
    const long long index = PyLong_AsLongLongAndOverflow(key, &overflow);
    if (overflow != 0 || index >= size || index < -size) {
        return std::nullopt;
    }
    return static_cast<Py_ssize_t>(index < 0 ? index + size : index);
}

lookup item_of_sequence(PyObject* object, PyObject* key, Py_ssize_t size) {
    if (!PyLong_Check(key)) {
        return {.what = lookup::kind::unfit, .why = "its items are numbered: the key has to be an integer"};
    }
    const std::optional<Py_ssize_t> at = position_of(key, size);
    if (!at) {
        return {};
    }
    ref value;
    if (PyList_Check(object)) {
        value = ref::share(PyList_GET_ITEM(object, *at));
    } else if (PyTuple_Check(object)) {
        value = ref::share(PyTuple_GET_ITEM(object, *at));
    } else if (PyUnicode_Check(object)) {
        value = ref::steal(PyUnicode_Substring(object, *at, *at + 1));
    } else if (PyBytes_Check(object)) {
        value = ref::steal(PyLong_FromLong(static_cast<unsigned char>(PyBytes_AS_STRING(object)[*at])));
    } else {
        value = ref::steal(PyLong_FromLong(static_cast<unsigned char>(PyByteArray_AS_STRING(object)[*at])));
    }
    PyErr_Clear();
    return {.what = value ? lookup::kind::found : lookup::kind::missing, .value = std::move(value)};
}

lookup item_of_range(PyObject* object, PyObject* key) {
    if (!PyLong_Check(key)) {
        return {.what = lookup::kind::unfit, .why = "its items are numbered: the key has to be an integer"};
    }
    ref value = ref::steal(PyObject_GetItem(object, key));  // C code on exact integers
    PyErr_Clear();
    return {.what = value ? lookup::kind::found : lookup::kind::missing, .value = std::move(value)};
}

/// Whether `[]` on the object is that of the built-in class.
bool uses_items_of(PyObject* object, PyTypeObject* builtin) {
    PyTypeObject* owner = nullptr;
    return Py_TYPE(object) == builtin || (find_in_mro(Py_TYPE(object), "__getitem__", &owner) && owner == builtin);
}

}  // namespace

lookup static_item(PyObject* object, const path_key& key) {
    const ref wanted = make_key(key);
    if (!wanted) {
        return {.what = lookup::kind::unfit, .why = "the key is no literal of Python"};
    }
    if (PyDict_Check(object) && uses_items_of(object, &PyDict_Type)) {
        return item_of_dict(object, wanted.get());
    }
    if (PyList_Check(object) && uses_items_of(object, &PyList_Type)) {
        return item_of_sequence(object, wanted.get(), PyList_GET_SIZE(object));
    }
    if (PyTuple_Check(object) && uses_items_of(object, &PyTuple_Type)) {
        return item_of_sequence(object, wanted.get(), PyTuple_GET_SIZE(object));
    }
    if (PyUnicode_Check(object) && uses_items_of(object, &PyUnicode_Type)) {
        return item_of_sequence(object, wanted.get(), PyUnicode_GET_LENGTH(object));
    }
    if (PyBytes_Check(object) && uses_items_of(object, &PyBytes_Type)) {
        return item_of_sequence(object, wanted.get(), PyBytes_GET_SIZE(object));
    }
    if (PyByteArray_Check(object) && uses_items_of(object, &PyByteArray_Type)) {
        return item_of_sequence(object, wanted.get(), PyByteArray_GET_SIZE(object));
    }
    if (PyRange_Check(object)) {
        return item_of_range(object, wanted.get());
    }
    PyTypeObject* type = Py_TYPE(object);
    const bool has_items = PyType_Check(object) || (type->tp_as_mapping != nullptr && type->tp_as_mapping->mp_subscript != nullptr) ||
                           (type->tp_as_sequence != nullptr && type->tp_as_sequence->sq_item != nullptr);
    if (has_items) {
        return {.what = lookup::kind::needs_code,
                .why = std::string("items of ") + type->tp_name + " objects are looked up by code of its own"};
    }
    return {.what = lookup::kind::unfit, .why = std::string("'") + type->tp_name + "' object is not subscriptable"};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
