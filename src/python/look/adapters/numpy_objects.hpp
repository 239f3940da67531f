#pragma once
#include "python/look/adapters/cells.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Whether the object is an exact `numpy.ndarray`.
[[nodiscard]] bool is_ndarray(PyObject* object);

/// The memory of an exact `numpy.ndarray` or of a scalar such as `numpy.float64`; `nullopt` for other objects.
[[nodiscard]] std::optional<cells> numpy_cells(PyObject* object);

/// `array[position]` along the first axis of an exact `numpy.ndarray`: a scalar, an object or a view. Null if it is out of range.
[[nodiscard]] ref ndarray_item(PyObject* array, Py_ssize_t position);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
