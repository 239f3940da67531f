#pragma once
#include "python/python_api.hpp"

#include <pyaichat/core/json.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct inspect_options {
    int depth = 2;             ///< of nested values
    std::size_t rows = 20;     ///< attributes and items
    std::size_t columns = 10;  ///< entries inside each nested value
};

/// Everything that a reader needs to know of one object, bounded, without running anybody's code.
[[nodiscard]] json inspect_object(PyObject* object, const inspect_options& options);

/// `{"name", "module", "qualified"}`.
[[nodiscard]] json type_facts(PyObject* object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
