#pragma once
#include "terminal/styled_span.hpp"

#include <string_view>

namespace repl {

/// The parameters of the terminal sequence that begins a style; empty for plain text.
[[nodiscard]] std::string_view style_parameters(text_style style) noexcept;

}  // namespace repl
