#pragma once
#include "python/python_api.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct print_options {
    std::size_t max_chars = 2000;       ///< of the text, in code points
    std::size_t work_budget = 1 << 20;  ///< up to this length the text's length is counted, beyond what is kept
    std::size_t max_items = SIZE_MAX;   ///< of one container
    std::size_t max_attributes = 8;     ///< of one object
    int max_depth = 16;                 ///< of containers; objects inside objects are shown two levels deep
    bool run_repr = false;              ///< ask objects of other than built-in types for their own `repr` (their code runs)
};

struct printed {
    std::string text = {};
    bool clipped = false;                             ///< the text stops in the middle
    bool truncated = false;                           ///< clipped, or it says itself that something is left out
    std::optional<std::size_t> original_length = {};  ///< in code points; nothing when the budget was spent before the end
    bool met_objects = false;                         ///< something was printed whose real `repr` may differ
    bool failed = false;                              ///< only of `run_repr`: an exception other than `Exception` came up, and is set
};

/// `repr` by structure: built-in values look as Python shows them, other objects as `<module.Class object with x=1, y=[...]>` from their
/// own attributes. Runs no code of anybody's (unless asked to), ends on cycles, and costs what it shows, not what there is.
[[nodiscard]] printed print_structure(PyObject* object, const print_options& options = {});

/// The same in one line of at most `max_chars`.
[[nodiscard]] std::string short_text(PyObject* object, std::size_t max_chars);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
