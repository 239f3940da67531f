#include "python/look/adapter.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/privacy/privacy_scope.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_plain_depth = 8;
/// The number of keys that are compared with the one that is searched.
constexpr std::size_t max_searched_keys = 500'000;

/// Whether comparing the key runs no user code: exact built-in scalars, and tuples and frozen sets of them.
bool is_plain_key(PyObject* key, int depth = 0) {
    if (key == Py_None || PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyBool_Check(key) || PyFloat_CheckExact(key) ||
        PyBytes_CheckExact(key) || PyComplex_CheckExact(key)) {
        return true;
    }
    if (!(PyTuple_CheckExact(key) || Py_TYPE(key) == &PyFrozenSet_Type) || depth == max_plain_depth) {
        return false;
    }
    bool plain = true;
    for (item_walk each(key); plain && each.next();) {
        plain = is_plain_key(each.value.get(), depth + 1);
    }
    return plain;
}

bool same_key(PyObject* left, PyObject* right) {
    if (PyUnicode_CheckExact(left) != PyUnicode_CheckExact(right) || PyBytes_CheckExact(left) != PyBytes_CheckExact(right)) {
        return false;  // never equal, and comparing str with bytes may warn
    }
    if (PyUnicode_CheckExact(left)) {
        return PyUnicode_GET_LENGTH(left) == PyUnicode_GET_LENGTH(right) && PyUnicode_Compare(left, right) == 0;
    }
    const int equal = PyObject_RichCompareBool(left, right, Py_EQ);
    if (equal < 0) {
        PyErr_Clear();
    }
    return equal > 0;
}

lookup item_of_dict(PyObject* dict, PyObject* key) {
    if (hides_name(key)) {
        return {};
    }
    if (PyList_Check(key) || PyDict_Check(key) || PySet_Check(key) || PyByteArray_Check(key)) {
        return {.what = lookup::kind::unfit, .why = std::string("unhashable type: '") + Py_TYPE(key)->tp_name + "'"};
    }
    if (!is_plain_key(key)) {
        return lookup::refused(std::string("a value of the type '") + Py_TYPE(key)->tp_name + "' is not a usual key");
    }
    bool foreign_keys = false;
    std::size_t searched = 0;
    for (dict_cursor each{dict}; each.next();) {
        if (++searched > max_searched_keys) {
            return lookup::refused("it is not among the first " + std::to_string(max_searched_keys) +
                                   " keys, and a search by hash would run the code of the keys");
        }
        if (!is_plain_key(each.key)) {
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
    if (PySlice_Check(key)) {
        return lookup::refused("slices of subclasses are not supported");
    }
    if (!PyLong_Check(key)) {
        return {.what = lookup::kind::unfit, .why = "its items are numbered: the key must be an integer"};
    }
    if (builtin == &PyRange_Type && has_large_integers(object)) {
        return lookup::refused("the range has integers that are too large");
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

lookup static_item(PyObject* object, PyObject* key) {
    if (const adapter* known = find_adapter(object); known != nullptr && known->item != nullptr) {
        if (std::optional<lookup> found = known->item(object, key)) {
            return *std::move(found);
        }
    }
    if (PyDict_Check(object) && uses_items_of(object, &PyDict_Type)) {
        return item_of_dict(object, key);
    }
    for (PyTypeObject* builtin : {&PyList_Type, &PyTuple_Type, &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type, &PyRange_Type}) {
        if (PyObject_TypeCheck(object, builtin) && uses_items_of(object, builtin)) {
            return item_of_sequence(builtin, object, key);
        }
    }
    PyTypeObject* type = Py_TYPE(object);
    const bool has_items = PyType_Check(object) || (type->tp_as_mapping != nullptr && type->tp_as_mapping->mp_subscript != nullptr) ||
                           (type->tp_as_sequence != nullptr && type->tp_as_sequence->sq_item != nullptr);
    if (has_items) {
        return lookup::refused("item lookup on " + std::string(short_name(type)) + " objects runs their own code");
    }
    return {.what = lookup::kind::unfit, .why = "'" + std::string(short_name(type)) + "' object is not subscriptable"};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
