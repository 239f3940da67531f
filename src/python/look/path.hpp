#pragma once
#include "python/look/expression.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// `.name` or `[key]` with a literal key.
struct path_step {
    /// A key that is neither a text nor an integer of 64 bits, such as a tuple.
    struct other_key {};

    std::string source = {};     ///< as written, for messages
    std::string attribute = {};  ///< empty for `[key]`
    std::variant<other_key, std::string, std::int64_t> key = {};
};

/// A name followed by lookups of attributes and items by literal keys: `game.player.items["key"]`. It computes nothing.
struct path {
    std::string root = {};
    std::vector<path_step> steps = {};
};

/// Parses an expression that is a path. Fails with `not_allowed` for any other expression.
[[nodiscard]] result<path> parse_path(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
