#pragma once
#include "python/privacy/privacy_rules.hpp"
#include "python/python_api.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// The limits of the search for texts that hidden variables hold.
inline constexpr std::size_t max_hidden_texts = 200;
inline constexpr int min_hidden_length = 6;
inline constexpr int max_hidden_length = 4000;
inline constexpr int max_hidden_depth = 3;
inline constexpr int max_hidden_items = 100;

/// Collects the texts that hidden variables of a session hold, also inside containers, so that they can be removed from output, messages
/// and source lines. Bounded: at most 200 texts of 6 to 4,000 characters. Needs the GIL; runs no user code.
[[nodiscard]] std::vector<std::string> texts_of_hidden(const privacy_rules& rules, PyObject* globals);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
