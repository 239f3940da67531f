#pragma once
#include "terminal/styled_span.hpp"

#include <string_view>

namespace repl {

/// The parameters of the escape sequence (SGR) for a style: "1;34". Empty for plain text.
[[nodiscard]] std::string_view style_code(text_style style) noexcept;

}  // namespace repl
