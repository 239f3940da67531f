#pragma once
#include "python/python_api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The names of an object's attributes, as far as its dict and its classes know them (`__dir__` is not asked): public ones first, then
/// those with an underscore, then those with two; each group sorted.
[[nodiscard]] std::vector<std::string> member_names(PyObject* object);

/// The names in a dict, in the same order. Keys that are no exact strings have no name.
[[nodiscard]] std::vector<std::string> dict_names(PyObject* dict);

/// Whether a name matches a pattern with `*`, `?` and `[...]`, case counting. An empty pattern matches everything.
[[nodiscard]] bool matches_glob(std::string_view name, std::string_view pattern);

/// Up to three of the candidates that `name` may have been a slip of.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> candidates);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
