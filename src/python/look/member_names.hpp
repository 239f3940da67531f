#pragma once
#include "python/python_api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The names of attributes in an object's dict and classes, without calling `__dir__`: public names, then `_name`, then `__name__`, each
/// group sorted.
[[nodiscard]] std::vector<std::string> member_names(PyObject* object);

/// The keys of a dict that are exact strings, in the same order.
[[nodiscard]] std::vector<std::string> dict_names(PyObject* dict);

/// Whether a name matches a pattern with `*`, `?` and `[...]`, case-sensitive. An empty pattern matches everything.
[[nodiscard]] bool matches_glob(std::string_view name, std::string_view pattern);

/// Up to three candidates of which `name` may be a misspelling.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> candidates);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
