#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A literal key between brackets.
struct path_key {
    struct none {};
    struct bytes {
        std::string data = {};
    };
    struct number {
        std::string digits = {};  ///< an integer as written: `-0x10`
    };
    using tuple = std::vector<path_key>;

    std::variant<none, bool, number, double, std::string, bytes, tuple> value = {};
};

/// `.name` or `[key]`.
struct path_step {
    std::string text = {};       ///< as written, for messages
    std::string attribute = {};  ///< empty for `[key]`
    path_key key = {};
};

/// A name followed by lookups of attributes and items: `game.player.items["key"]`. It has no calls.
struct path {
    std::string root = {};
    std::vector<path_step> steps = {};
};

inline constexpr std::size_t max_path_bytes = 4096;
inline constexpr std::size_t max_path_steps = 64;

/// Parses a path. Recurses at most 8 levels deep, for nested tuples. Fails with `not_allowed` if the text is not a path (it may be another
/// Python expression); the message says where.
[[nodiscard]] result<path> parse_path(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
