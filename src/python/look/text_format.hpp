#pragma once
#include "python/look/look_context.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Texts of deeply plain values, as Python writes them. Widths and precisions are bounded. After a failure they return null.

/// `repr(value)`.
[[nodiscard]] ref repr_of(look_context& context, PyObject* value);
/// `str(value)`.
[[nodiscard]] ref str_of(look_context& context, PyObject* value);
/// `ascii(value)`.
[[nodiscard]] ref ascii_of(look_context& context, PyObject* value);
/// `format(value, specification)`.
[[nodiscard]] ref format_value(look_context& context, PyObject* value, PyObject* specification);
/// `format % values`.
[[nodiscard]] ref format_percent(look_context& context, PyObject* format, PyObject* values);

/// Whether an int is short enough for its decimal text. Fails if not.
bool fits_decimal(look_context& context, PyObject* integer);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
