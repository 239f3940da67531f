#pragma once
#include <span>
#include <string_view>

namespace repl {

/// The keywords of Python, sorted, without the soft ones.
[[nodiscard]] std::span<const std::string_view> python_keywords() noexcept;
[[nodiscard]] bool is_keyword(std::string_view name) noexcept;

/// Whether the name is one that every module has from `builtins`.
[[nodiscard]] bool is_builtin(std::string_view name) noexcept;

/// Whether a logical line that begins with this keyword begins or continues a block: `if`, `else`, `def`. Without `async`, which the real
/// one follows, and without the soft keywords.
[[nodiscard]] bool is_block_keyword(std::string_view name) noexcept;

}  // namespace repl
