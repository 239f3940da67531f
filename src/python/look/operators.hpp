#pragma once
#include "python/look/expression.hpp"
#include "python/look/look_context.hpp"

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Operators on exact built-in types. All of them check the size of the result before they compute it. After a failure, which is in the
// context, they return null or `nullopt`.

[[nodiscard]] ref apply_unary(look_context& context, operation operation, PyObject* operand);
[[nodiscard]] ref apply_binary(look_context& context, operation operation, PyObject* left, PyObject* right);
/// `<` to `!=`, `in`, `is`.
[[nodiscard]] std::optional<bool> apply_comparison(look_context& context, operation operation, PyObject* left, PyObject* right);
/// `bool(value)`: built-in values, and objects whose class has neither `__bool__` nor `__len__`.
[[nodiscard]] std::optional<bool> truth_of(look_context& context, PyObject* value);

/// `left ** right`, or `pow(left, right, modulus)` if `modulus` is not null.
[[nodiscard]] ref apply_power(look_context& context, PyObject* left, PyObject* right, PyObject* modulus = nullptr);
/// `divmod(left, right)`.
[[nodiscard]] ref apply_divmod(look_context& context, PyObject* left, PyObject* right);

/// Whether `len(value)` is the C code of a built-in container or text, also for an instance of a subclass.
[[nodiscard]] bool has_builtin_length(PyObject* value);

/// Fails and returns false if the value is not of an exact built-in type.
bool needs_exact(look_context& context, PyObject* value);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
