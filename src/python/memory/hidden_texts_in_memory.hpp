#pragma once
#include "python/memory/memory_answers.hpp"
#include "python/privacy/privacy_rules.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What `texts_of_hidden` collects, without Python. `nullopt` if reading them takes too long, or if they change meanwhile.
[[nodiscard]] std::optional<std::vector<std::string>> hidden_texts_in_memory(const privacy_rules& rules, const memory_view& view);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
