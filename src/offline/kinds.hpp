#pragma once
#include <pyaichat/config/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the kind of variable that a noun of a question stands for: "function" for "my functions", empty for all variables. Nothing if
/// the text is not such a noun. With `sure`, nouns that are also common names of variables ("numbers") need a determiner ("the numbers").
[[nodiscard]] std::optional<std::string> read_kind(std::string_view text, bool sure);

/// Whether a variable with this type name, as `list_globals` has it, is of the kind.
[[nodiscard]] bool is_of_kind(std::string_view type_name, std::string_view kind);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
