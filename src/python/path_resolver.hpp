#pragma once
#include "python/path.hpp"
#include "python/python_api.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <string_view>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The object that a path leads to, or the reply that says why there is none: `python_exception` for what Python would raise (with the
/// nearest names), `not_allowed` for what only running code could tell.
using resolved = std::variant<ref, capability_reply>;

/// Walks a path from the names of `globals`, then of `builtins`, without running anybody's code.
[[nodiscard]] resolved resolve_path(std::string_view expression, PyObject* globals, PyObject* builtins);

/// A reply in the form of a Python exception.
[[nodiscard]] capability_reply python_exception_reply(std::string exc_type, std::string message, json details = json::object());

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
