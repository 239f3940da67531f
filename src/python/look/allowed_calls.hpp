#pragma once
#include "python/look/look_context.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The arguments of a call, already evaluated.
struct look_arguments {
    std::vector<looked_value> positional = {};
    std::vector<std::pair<std::string, looked_value>> named = {};

    /// The argument at a position, or with a name. Null if there is none.
    [[nodiscard]] const looked_value* find(std::size_t position, std::string_view name = {}) const;
};

/// Calls a built-in function or type, or a method of a built-in value, if it is known to run no user code with these arguments. A callee
/// is recognized by what it is, not by its name: a replaced `len` is refused.
[[nodiscard]] looked_value call_allowed(look_context& context, PyObject* callee, const look_arguments& arguments);

/// Calls a bound method of an exact built-in value (`allowed_methods.cpp`). `callee` is a built-in function object.
[[nodiscard]] ref call_allowed_method(look_context& context, PyObject* callee, const look_arguments& arguments);

/// Calls a function that is C code, if all arguments are deeply plain. Streams are read into lists first.
[[nodiscard]] ref call_with_plain(look_context& context, PyObject* callee, const look_arguments& arguments);

/// The entry of a dict for a key. `missing` has null; a failure is in the context.
[[nodiscard]] ref find_entry(look_context& context, PyObject* dict, PyObject* key);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
