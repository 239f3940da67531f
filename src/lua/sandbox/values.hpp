#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// How large one value may be that goes into Lua or comes out of it.
struct value_limits {
    std::size_t depth = 32;
    std::size_t keys = 10'000;                 ///< members of objects and items of lists, together
    std::size_t bytes = std::size_t{1} << 20;  ///< of texts, names included
    duration time = std::chrono::milliseconds(50);
    std::string_view change = "Return less.";  ///< what to do when there is too much
};

/// What a value takes of the limits.
struct value_size {
    std::size_t keys = 0;
    std::size_t bytes = 0;
};
[[nodiscard]] value_size size_of(const json& value);

/// The largest integer that every reader of JSON keeps exact.
inline constexpr std::int64_t max_exact_integer = std::int64_t{1} << 53;

/// Whether a value may be pushed. Fails with `too_large`.
[[nodiscard]] result<void> check_value(const json& value, const value_limits& limits = {});

/// Pushes a value that `check_value` has passed: null becomes `pyaichat.null`, a list is marked as one, a number without a fraction becomes
/// an integer. Leaves one value on the stack. May raise (memory), and holds nothing that would leak then.
void push_json(lua_State* L, const json& value);

/// Reads the value at `index`, raw: no code of the plugin's runs. nil and `pyaichat.null` are null; NaN and the infinities are null; an
/// integer above 2^53 is its digits as a text; bytes that are not UTF-8 become U+FFFD. A table with items 1 to n is a list, one with names
/// an object; an empty one is a list when it is marked or `schema` (may be null) says `array`, otherwise an object. Fails with
/// `invalid_argument` for anything else (a function, a cycle, both items and names) or `too_large`; the message begins with where
/// (`what.items[3]`). Never raises.
[[nodiscard]] result<json> read_json(lua_State* L, int index, std::string_view what, const json* schema = nullptr,
                                     const value_limits& limits = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
