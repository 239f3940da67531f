#pragma once
#include "python/look/look_budget.hpp"
#include "python/look/look_context.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <string_view>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The value of an expression, or an error reply: `python_exception` if Python would raise (with the nearest names), `not_allowed` if the
/// expression would have to run user code, needs what is not supported, or exceeds the budget.
using looked = std::variant<ref, capability_reply>;

/// Evaluates an expression with the names of `globals`, then `builtins`. Runs no user code, imports nothing, does no input or output,
/// changes no object, and never reads from an iterator, a generator or a file.
[[nodiscard]] looked evaluate(std::string_view expression, PyObject* globals, PyObject* builtins, look_budget& budget);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
