#pragma once
#include "python/python_api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Names of an object, in order: public names, then `_name`, then `__name__`, each group sorted. Hidden names are left out.
struct name_list {
    std::vector<std::string> names = {};
    std::size_t total = 0;  ///< matching names, those beyond the limit included
    bool complete = true;   ///< whether all names of the object were read
};

/// The first `limit` names of attributes that match `filter`, from the object's dict and classes, without calling `__dir__`.
[[nodiscard]] name_list list_members(PyObject* object, std::string_view filter, std::size_t limit);

/// The names of attributes of an object as candidates for `nearest_names`, in no order.
[[nodiscard]] std::vector<std::string> member_names(PyObject* object);

/// The keys of a dict that are exact strings as candidates for `nearest_names`, in no order. Hidden names are left out.
[[nodiscard]] std::vector<std::string> dict_names(PyObject* dict);

/// Whether a name matches a pattern with `*`, `?` and `[...]`, case-sensitive. An empty pattern matches everything.
[[nodiscard]] bool matches_glob(std::string_view name, std::string_view pattern);

/// Up to three candidates of which `name` may be a misspelling.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> candidates);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
