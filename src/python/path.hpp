#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A literal between brackets.
struct path_key {
    struct none {};
    struct bytes {
        std::string data = {};
    };
    struct number {
        std::string digits = {};  ///< of an integer, as written: `-0x10`
    };
    using tuple = std::vector<path_key>;

    std::variant<none, bool, number, double, std::string, bytes, tuple> value = {};
};

/// `.name` or `[key]`.
struct path_step {
    std::string text = {};       ///< as written, for messages
    std::string attribute = {};  ///< empty: an item
    path_key key = {};
};

/// A name and what is looked up from there on: `game.player.items["key"]`. Nothing in it can be called.
struct path {
    std::string root = {};
    std::vector<path_step> steps = {};
};

inline constexpr std::size_t max_path_bytes = 4096;
inline constexpr std::size_t max_path_steps = 64;

/// Reads a path. Never recurses deeper than a key's tuple nests (8). Fails with `not_allowed`: the text is no path; the message says where
/// it stops being one (it may well be an expression of Python).
[[nodiscard]] result<path> parse_path(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
