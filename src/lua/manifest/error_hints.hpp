#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// What the compiler of Lua has said of a text, for a person who wants to mend it.
struct syntax_error {
    int line = 0;             ///< 0 = not known
    std::string what = {};    ///< without file and line
    std::string change = {};  ///< never empty
};

/// Of the compiler's message, whose file and line were taken off. Lua tells some mistakes at the end of the block: there, the line is that
/// of the mistake.
[[nodiscard]] syntax_error explain(std::string what, int line, std::string_view source);

/// What to do about an error that a running plugin has raised; empty where that is not certain.
[[nodiscard]] std::string_view change_for_error(std::string_view what);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
