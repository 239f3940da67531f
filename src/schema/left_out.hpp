#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Describes a keyword that a service does not accept, for its model: "must match the pattern \"^a\"". Empty if the keyword says nothing.
[[nodiscard]] std::string in_words(std::string_view keyword, const json& value);

/// Appends what was left out of a schema to its `description`.
void add_to_description(json& schema, const std::string& words);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
