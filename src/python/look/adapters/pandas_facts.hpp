#pragma once
#include "python/look/adapter.hpp"
#include "python/look/adapters/pandas_objects.hpp"

#include <initializer_list>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// What the adapters of pandas share.

[[nodiscard]] adapted_text unknown_layout(PyObject* object);

[[nodiscard]] lookup of_integer(std::int64_t value);
[[nodiscard]] lookup of_bool(bool value);
/// A tuple of integers.
[[nodiscard]] lookup of_shape(std::initializer_list<std::int64_t> shape);
/// The array that pandas holds.
[[nodiscard]] lookup of_array(const pandas_values& values);

/// The first labels of an index, a list of texts.
[[nodiscard]] json index_labels(PyObject* index, std::int64_t count);
[[nodiscard]] std::string index_dtype(PyObject* index);
/// What an index is, in one line: `RangeIndex of 9`, `DatetimeIndex of 5 datetime64[ns]: ...`.
[[nodiscard]] std::string index_facts(PyObject* index);

[[nodiscard]] const adapter& frame_adapter();

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
