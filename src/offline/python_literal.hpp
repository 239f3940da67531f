#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Reads what Python prints for None, a bool, a number, a text, or a list, tuple or dict with text keys of those: `{'a': [1, True]}`.
/// Returns nothing for other text.
[[nodiscard]] std::optional<json> read_python_literal(std::string_view printed);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
