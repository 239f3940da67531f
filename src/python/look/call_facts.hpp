#pragma once
#include "python/python_api.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// How an object is called, as far as its structure tells without running code.
struct call_facts {
    std::string signature = {};                ///< `attack(target, damage=1)`; empty if it is not known
    std::vector<std::string> parameters = {};  ///< the names that a call may give as keywords
    std::string doc = {};                      ///< the first line of the documentation; may be empty
};

/// Reads functions, methods, classes, built-in functions, and objects whose class defines `__call__`. Follows `__wrapped__`.
[[nodiscard]] call_facts call_facts_of(PyObject* object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
