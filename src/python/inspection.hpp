#pragma once
#include "python/python_api.hpp"

#include <pyaichat/core/json.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

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
