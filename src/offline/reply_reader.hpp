#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A list in an answer shows at most so many entries.
inline constexpr std::size_t most_listed = 40;

/// Returns the text between backticks.
[[nodiscard]] std::string ticked(std::string_view text);

/// Returns the member of an object, or null.
[[nodiscard]] const json& member(const json& object, std::string_view key);

/// Returns the member of an object if it is a list, or an empty list.
[[nodiscard]] const json& list_member(const json& object, std::string_view key);

/// Returns the member of an object if it is a text, or an empty text.
[[nodiscard]] std::string text_member(const json& object, std::string_view key);

/// Returns a text, or the text in a member of an object.
[[nodiscard]] std::string text_or_member(const json& value, std::string_view key);

/// "a list", "an int"; "an object" if the type is not known.
[[nodiscard]] std::string with_article(const std::string& type);

/// Returns the text without control characters other than line ends and TABs, so that a terminal can show it.
[[nodiscard]] std::string shown_safely(std::string_view text);

/// "1.5" for "numpy.float64(1.5)", also inside of a list. A value with quotes stays, because it may have such text in a string.
[[nodiscard]] std::string without_numpy_types(std::string value);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
