#pragma once
#include "python/python_api.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <string>
#include <string_view>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The object at a path, or an error reply: `python_exception` if Python would raise (with the nearest names), `not_allowed` if the lookup
/// would have to run user code.
using resolved = std::variant<ref, capability_reply>;

/// Looks a path up in `globals`, then in `builtins`, without running user code.
[[nodiscard]] resolved resolve_path(std::string_view expression, PyObject* globals, PyObject* builtins);

/// An error reply with a Python exception.
[[nodiscard]] capability_reply python_exception_reply(std::string exc_type, std::string message, json details = json::object());

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
