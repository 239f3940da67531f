#pragma once
#include <pyaichat/config/config.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// On which line of a plugin's file each field of its manifest stands. A table in Lua does not know, so the constructor that the file
/// returns is read as text: `return { ... }`, or `local m = { ... }` with `return m`. What is written in another way has the line of the
/// nearest part that is known.
class source_map {
public:
    explicit source_map(std::string_view source);

    /// Of `capabilities[2].parameters.type`, or of the nearest field around it; of the `return` when there is none; else the last line.
    [[nodiscard]] int line_of(std::string_view path) const;
    [[nodiscard]] int last_line() const noexcept { return last_line_; }

private:
    std::map<std::string, int, std::less<>> lines_;  // "" is the returned table
    int last_line_ = 1;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
