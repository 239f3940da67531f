#pragma once
#include "python/path.hpp"
#include "python/python_api.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What a look-up without user code came to.
struct lookup {
    enum class kind : unsigned char {
        found,
        missing,     ///< Python would raise AttributeError, KeyError or IndexError
        needs_code,  ///< only code of somebody's could tell; `why` says which
        unfit,       ///< the object has no items of this kind at all: Python would raise TypeError
    };
    kind what = kind::missing;
    ref value = {};
    std::string why = {};

    [[nodiscard]] bool found() const noexcept { return what == kind::found; }
};

/// The entry `name` of a dict (subclasses are read by layout). Only keys that are exact strings are compared, one by one: a look-up by hash
/// would run `__eq__` of whatever key collides. Borrowed, or null.
[[nodiscard]] PyObject* find_name(PyObject* dict, PyObject* name);

/// The entry `name` in the classes of `type`'s MRO, as it stands: no descriptor is run. Says which class has it.
[[nodiscard]] ref find_in_mro(PyTypeObject* type, PyObject* name, PyTypeObject** owner = nullptr);
[[nodiscard]] ref find_in_mro(PyTypeObject* type, const char* name, PyTypeObject** owner = nullptr);

/// The object's own attributes, or null when it has none (or is a class).
[[nodiscard]] ref instance_dict(PyObject* object);

/// What `object.name` gives, as far as that runs nobody's code: instance dicts, class attributes, functions bound to their object, slots,
/// and the built-in types' own attributes. Everything else, and all classes with a `__getattribute__` of their own, is `needs_code`.
[[nodiscard]] lookup static_attribute(PyObject* object, PyObject* name);

/// What `object[key]` gives, for built-in containers and those of their subclasses that look items up the same way.
[[nodiscard]] lookup static_item(PyObject* object, const path_key& key);

/// How many entries of a dict are looked through for one key.
inline constexpr Py_ssize_t max_searched_keys = 5'000'000;

/// A member of a built-in type, such as `start` of a range.
[[nodiscard]] ref builtin_member(PyTypeObject* type, PyObject* object, const char* name);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
