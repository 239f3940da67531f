#pragma once
#include "python/python_api.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The result of a lookup that runs no user code.
struct lookup {
    enum class kind : unsigned char {
        found,
        missing,     ///< Python would raise AttributeError, KeyError or IndexError
        needs_code,  ///< the lookup would have to run user code; `why` says which
        unfit,       ///< the object has no such items: Python would raise TypeError
    };
    kind what = kind::missing;
    ref value = {};
    std::string why = {};
    bool stand_in = false;  ///< the value is shown in place of another one that Python would make: an array for a column

    /// `found`, or `missing` for null.
    [[nodiscard]] static lookup of(ref value) { return {.what = value ? kind::found : kind::missing, .value = std::move(value)}; }
    /// `needs_code`, with the reason.
    [[nodiscard]] static lookup refused(std::string why) { return {.what = kind::needs_code, .why = std::move(why)}; }

    [[nodiscard]] bool found() const noexcept { return what == kind::found; }
};

/// The name of a class for a message, cut if it is very long.
[[nodiscard]] std::string_view short_name(PyTypeObject* type) noexcept;

/// Finds the entry `name` of a dict, without calling methods of a subclass. Compares the exact string keys one by one, because a lookup by
/// hash would run `__eq__` of a colliding key. Borrowed, or null, also for a
/// name that the session hides.
[[nodiscard]] PyObject* find_name(PyObject* dict, PyObject* name);
/// The same for a name that the SDK asks for, hidden or not.
[[nodiscard]] PyObject* find_name(PyObject* dict, const char* name);

/// A class and its dict.
struct class_namespace {
    ref owner;
    ref names;
};

/// The classes in `type`'s MRO, itself included.
[[nodiscard]] std::vector<class_namespace> namespaces_of(PyTypeObject* type);

/// Finds `name` in the classes of `type`'s MRO without calling descriptors. `owner` receives the class that has it. Null if not found.
[[nodiscard]] ref find_in_mro(PyTypeObject* type, PyObject* name, PyTypeObject** owner = nullptr);
[[nodiscard]] ref find_in_mro(PyTypeObject* type, const char* name, PyTypeObject** owner = nullptr);

/// The object's own attributes, a dict; null if it has none or is a class.
[[nodiscard]] ref instance_dict(PyObject* object);

/// Reads attributes of one object without running user code, given what its dicts have under the name. What it needs to know of the classes
/// is found once, so that it can read many attributes.
class attribute_reader {
public:
    explicit attribute_reader(PyObject* object);

    /// `in_type`: the value in the classes of the object's type. `own`: the value in the object's dict, or for a class in its own classes.
    /// Both may be null.
    [[nodiscard]] lookup read(PyObject* name, PyObject* in_type, PyObject* own);

private:
    enum class kind : unsigned char { plain, module, of_class, method, refused };
    [[nodiscard]] lookup absent();

    PyObject* object_;
    PyTypeObject* type_;
    kind kind_ = kind::plain;
    std::string why_;  ///< for `refused`
    ref dict_;
    std::optional<bool> may_be_computed_;  ///< whether a `__getattr__` could find a missing attribute
};

/// Evaluates `object.name` without running user code: instance dicts, class attributes, bound functions, slots, attributes of built-in
/// types, and what an adapter knows. Anything else, and every class that defines `__getattribute__`, is `needs_code`.
[[nodiscard]] lookup static_attribute(PyObject* object, PyObject* name);
[[nodiscard]] lookup static_attribute(PyObject* object, std::string_view name);

/// Evaluates `object[key]` without running user code: built-in containers, subclasses that do not override the lookup, and what an adapter
/// knows. `key` is deeply plain (see `look_context::weigh`).
[[nodiscard]] lookup static_item(PyObject* object, PyObject* key);

/// Reads a member of a built-in type, such as `start` of a range. Null if there is none.
[[nodiscard]] ref builtin_member(PyTypeObject* type, PyObject* object, const char* name);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
