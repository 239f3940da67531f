#pragma once
#include "python/python_api.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct print_options {
    std::size_t max_chars = 2000;       ///< maximum length of the text, in code points
    std::size_t work_budget = 1 << 20;  ///< the full length is counted up to this many code points
    std::size_t max_items = SIZE_MAX;   ///< per container
    std::size_t max_attributes = 8;     ///< per object
    int max_depth = 16;                 ///< of containers; objects inside objects are shown two levels deep
    bool run_repr = false;              ///< call `repr` of objects that are not of built-in types (this runs their code)
};

struct printed {
    std::string text = {};
    bool clipped = false;                             ///< the text was cut at `max_chars`
    bool truncated = false;                           ///< clipped, or parts of the value were omitted
    std::optional<std::size_t> original_length = {};  ///< in code points; `nullopt` if it exceeds the budget
    bool met_objects = false;                         ///< the text has objects whose real `repr` may differ
    bool failed = false;                              ///< with `run_repr`: an exception that is not an `Exception` is set
};

/// Prints an object from its structure: built-in values like `repr`, other objects as `<module.Class object with x=1, y=[...]>`. Runs no
/// user code (without `run_repr`) and handles cycles. The cost depends on the printed text, not on the size of the object.
[[nodiscard]] printed print_structure(PyObject* object, const print_options& options = {});

/// `print_structure` with at most `max_chars` code points; a text that was cut ends with `...`.
[[nodiscard]] std::string short_text(PyObject* object, std::size_t max_chars);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
