#pragma once
#include <pyaichat/config/config.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Maps the fields of a manifest to lines of the plugin's file. Lua tables do not have lines, so this parses the table constructor in the
/// text: `return { ... }`, or `local m = { ... }` with `return m`. A field that is written in another way gets the line of the nearest
/// field around it.
class source_map {
public:
    explicit source_map(std::string_view source);

    /// The line of a field such as `capabilities[2].parameters.type`, else of the nearest field around it, of the `return`, or the last
    /// line.
    [[nodiscard]] int line_of(std::string_view path) const;
    [[nodiscard]] int last_line() const noexcept { return last_line_; }

private:
    std::map<std::string, int, std::less<>> lines_;  // "" is the returned table
    int last_line_ = 1;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
