#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/json.hpp>

#include <chrono>
#include <cstddef>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The limits of one value that is passed to Lua or read from it.
struct value_limits {
    std::size_t depth = 32;
    std::size_t keys = 10'000;                 ///< members of objects and items of lists, together
    std::size_t bytes = std::size_t{1} << 20;  ///< of strings, names included
    duration time = std::chrono::milliseconds(50);
    std::string_view change = "Return less.";  ///< the hint for a value that is too large
};

/// The size of a value, as in `value_limits`.
struct value_size {
    std::size_t keys = 0;
    std::size_t bytes = 0;
};
[[nodiscard]] value_size size_of(const json& value);

/// Checks that a value is within the default limits. Fails with `too_large`.
[[nodiscard]] result<void> check_value(const json& value);

/// Pushes a value that `check_value` has accepted: null becomes `pyaichat.null`, a list is marked as a list, a number without a fraction
/// becomes an integer. May raise for lack of memory, without leaking.
void push_json(lua_State* L, const json& value);

/// Converts the value at `index` without running code of the plugin. nil, `pyaichat.null`, NaN and the infinities become null; an integer
/// above 2^53 becomes a string; bytes that are not UTF-8 become U+FFFD. A table with items 1 to n becomes a list, a table with names an
/// object. An empty table is a list if it is marked or if `schema` (may be null) says `array`, otherwise an object. Fails with
/// `invalid_argument` for anything else (a function, a cycle, both items and names) or with `too_large`; the message begins with the place
/// (`what.items[3]`). Never raises.
[[nodiscard]] result<json> read_json(lua_State* L, int index, std::string_view what, const json* schema = nullptr,
                                     const value_limits& limits = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
