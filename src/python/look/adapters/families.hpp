#pragma once
#include "python/look/adapter.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Each function returns the adapter of its family for an object, or null.

[[nodiscard]] const adapter* find_numpy_adapter(PyObject* object);
[[nodiscard]] const adapter* find_pandas_adapter(PyObject* object);
[[nodiscard]] const adapter* find_datetime_adapter(PyObject* object);
[[nodiscard]] const adapter* find_value_adapter(PyObject* object);
[[nodiscard]] const adapter* find_collection_adapter(PyObject* object);
[[nodiscard]] const adapter* find_runtime_adapter(PyObject* object);
[[nodiscard]] const adapter* find_host_adapter(PyObject* object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
