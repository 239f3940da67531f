#pragma once
#include "python/python_api.hpp"

#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Facts about an object. None of these functions runs user code.

/// A name as text, cut at 200 characters; `otherwise` for null and for objects that are not strings.
[[nodiscard]] std::string name_text(PyObject* name, std::string_view otherwise = "?");

/// The text of a value that was found under a name, or a mark if the name says that the value is a secret.
[[nodiscard]] std::string named_value_text(PyObject* name, PyObject* value, std::string text);

struct type_name {
    std::string name = {};    ///< with the classes that it is nested in: `Outer.Inner`
    std::string module = {};  ///< `builtins`, or "?" when the class hides it

    /// `int`, `Player` (of the session), `pandas.core.frame.DataFrame`.
    [[nodiscard]] std::string qualified() const;
};
[[nodiscard]] type_name name_of(PyTypeObject* type);

/// The number of items (characters, bytes) in a built-in container, an instance of its subclass, or an object whose adapter knows it;
/// `nullopt` for other objects. Hidden keys of a dict are not counted.
[[nodiscard]] std::optional<std::int64_t> size_of(PyObject* object);

/// Whether the object is a list, tuple, dict or set, or an instance of a subclass.
[[nodiscard]] bool is_container(PyObject* object);

/// Walks through the items of such a container, without calling methods of a subclass and without hidden keys. The container may change
/// meanwhile.
class item_walk {
public:
    explicit item_walk(PyObject* container);

    /// Advances to the next item. Returns false at the end.
    [[nodiscard]] bool next();

    ref key;    ///< null except in dicts
    ref value;  ///< may be null in a tuple that is not complete

private:
    dict_cursor entries_;
    ref iterator_;  ///< of a set
    Py_ssize_t position_ = 0;
};

/// The function behind a function or a bound method; null for anything else. Borrowed.
[[nodiscard]] PyFunctionObject* function_of(PyObject* object);

/// `attack(target, damage=1, *, force=False)`, with at most 50 parameters; empty if the object is not a Python function.
[[nodiscard]] std::string signature_of(PyObject* object);

/// The docstring, or null.
[[nodiscard]] ref doc_of(PyObject* object);

/// One line for a listing: `list of 3: [1, 2, 41]`.
[[nodiscard]] std::string summary_of(PyObject* object, std::size_t max_chars = 120);

struct inspect_options {
    int depth = 2;             ///< maximum depth of nested values
    std::size_t rows = 20;     ///< maximum number of attributes and of items
    std::size_t columns = 10;  ///< maximum number of entries in each nested value
};

/// Describes an object for the capability `inspect`: type, summary, size, signature, attributes, items. Runs no user code.
[[nodiscard]] json inspect_object(PyObject* object, const inspect_options& options);

/// `{"name", "module", "qualified"}`.
[[nodiscard]] json type_facts(PyObject* object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
