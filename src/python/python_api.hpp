#pragma once
/// Includes Python. Every file of this room includes it through this header, which also hides what differs between Python 3.11 and 3.13.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An owned reference, or null. Create, copy and destroy it with the GIL held.
class ref {
public:
    ref() = default;
    ref(const ref& other) noexcept : object_(other.object_) { Py_XINCREF(object_); }
    ref(ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    ref& operator=(ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~ref() { Py_XDECREF(object_); }

    /// Takes ownership of a new reference, as most functions of the C API return.
    [[nodiscard]] static ref steal(PyObject* object) noexcept { return ref(object); }
    /// Adds a reference to a borrowed object.
    [[nodiscard]] static ref share(PyObject* object) noexcept {
        Py_XINCREF(object);
        return ref(object);
    }

    [[nodiscard]] PyObject* get() const noexcept { return object_; }
    [[nodiscard]] PyObject* release() noexcept { return std::exchange(object_, nullptr); }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }

private:
    explicit ref(PyObject* object) noexcept : object_(object) {}
    PyObject* object_ = nullptr;
};

/// Converts UTF-8 to a Python string; invalid bytes become U+FFFD. Null with MemoryError set if there is no memory.
[[nodiscard]] inline ref to_python(std::string_view text) {
    return ref::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// Converts a Python string to UTF-8, without calling methods of a subclass. Lone surrogates become `\udc80`. Leaves no error set.
[[nodiscard]] inline std::string to_utf8(PyObject* text) {
    if (PyUnicode_IS_COMPACT_ASCII(text)) {
        return std::string(static_cast<const char*>(PyUnicode_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)));
    }
    // Not `PyUnicode_AsUTF8AndSize`: for a surrogate it calls the error handler "strict", which the user can replace.
    const ref bytes = ref::steal(PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
    if (!bytes) {
        PyErr_Clear();
        return {};
    }
    return std::string(PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get())));
}

/// `to_utf8` of a string; `otherwise` for null and for other objects.
[[nodiscard]] inline std::string text_or(PyObject* object, std::string_view otherwise = "?") {
    return object != nullptr && PyUnicode_Check(object) ? to_utf8(object) : std::string(otherwise);
}

/// Clears the current exception and returns it, normalized and with its traceback; null if none is set.
[[nodiscard]] inline ref take_exception() {
#if PY_VERSION_HEX >= 0x030C0000
    return ref::steal(PyErr_GetRaisedException());
#else
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != nullptr && traceback != nullptr) {
        PyException_SetTraceback(value, traceback);
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return ref::steal(value);
#endif
}

/// The namespace of one class, as a dict. (Since 3.12, `tp_dict` of a built-in type may be null.)
[[nodiscard]] inline ref type_dict(PyTypeObject* type) {
#if PY_VERSION_HEX >= 0x030C0000
    return ref::steal(PyType_GetDict(type));
#else
    return ref::share(type->tp_dict);
#endif
}

/// The dict behind a view of an exact type (`dict_keys`, `dict_values`, `dict_items`). Borrowed; may be null.
[[nodiscard]] inline PyObject* dict_of_view(PyObject* view) {
#if PY_VERSION_HEX >= 0x030D0000
    struct view_layout {  // private since 3.13, with the same layout
        PyObject base;
        PyDictObject* dv_dict;
    };
#else
    using view_layout = _PyDictViewObject;
#endif
    return reinterpret_cast<PyObject*>(reinterpret_cast<view_layout*>(view)->dv_dict);
}

/// Walks through the entries of a dict, without calling methods of a subclass. Null and other objects have no entries.
struct dict_cursor {
    PyObject* dict;
    PyObject* key = nullptr;    ///< borrowed
    PyObject* value = nullptr;  ///< borrowed
    Py_ssize_t position = 0;

    /// Advances to the next entry. Returns false at the end.
    [[nodiscard]] bool next() { return dict != nullptr && PyDict_Check(dict) && PyDict_Next(dict, &position, &key, &value) != 0; }
};

/// Whether comparing text with bytes prints a warning (option -b), which may run the user's code.
[[nodiscard]] inline bool bytes_comparisons_warn() {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return Py_BytesWarningFlag != 0;  // deprecated since 3.12, which has no other way to read it that the user cannot replace
#pragma GCC diagnostic pop
}

/// Disables the garbage collector while it lives, so that no `__del__` and no weak reference callback runs.
class collector_pause {
public:
    collector_pause() : was_enabled_(PyGC_Disable() != 0) {}
    ~collector_pause() {
        if (was_enabled_) {
            PyGC_Enable();
        }
    }
    collector_pause(const collector_pause&) = delete;
    collector_pause& operator=(const collector_pause&) = delete;

private:
    bool was_enabled_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
