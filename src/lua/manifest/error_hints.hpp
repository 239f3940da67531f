#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// An error of Lua's compiler, with the change that fixes it.
struct syntax_error {
    int line = 0;             ///< 0 = not known
    std::string what = {};    ///< the message without file and line
    std::string change = {};  ///< never empty
};

/// Explains a message of the compiler. Lua reports some errors at the end of a block; the returned line is that of the error.
[[nodiscard]] syntax_error explain(std::string what, std::string_view source);

/// Removes `name:12: ` from the beginning of a Lua message and returns the line; 0 if there is none.
int take_line(std::string& text);

/// The change that fixes an error of a running plugin; empty if it is not certain.
[[nodiscard]] std::string_view change_for_error(std::string_view what);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
