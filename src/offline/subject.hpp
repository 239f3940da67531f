#pragma once
#include <pyaichat/config/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Whether `text` is a path: names, attributes, and items with literal keys.
[[nodiscard]] bool is_object_path(std::string_view text) noexcept;

/// Whether the text could be Python rather than English: something computes in it, and no two words stand side by side.
[[nodiscard]] bool looks_like_expression(std::string_view text);

/// Whether a question that consists of this text alone is meant as Python.
[[nodiscard]] bool is_bare_expression(std::string_view text);

/// Whether the text is a literal: a number, a quoted text, None, True or False.
[[nodiscard]] bool is_literal(std::string_view text);

/// Returns the expression for the subject of a question: the text without articles, nouns and quotes ("the list `xs`" is `xs`), or what
/// a phrase stands for ("the price column of df" is `df["price"]`). Nothing if the text is neither a path nor an expression.
[[nodiscard]] std::optional<std::string> read_subject(std::string_view text);

/// Returns the digits of a number, also of one in words ("three"). Nothing if it is not a number below 10,000.
[[nodiscard]] std::optional<std::string> read_count(std::string_view word);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
