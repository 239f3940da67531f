#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/values.hpp"

#include <cmath>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

// These live in frames that a Lua error may skip.
static_assert(std::is_trivially_destructible_v<json::object_t::const_iterator>);
static_assert(std::is_trivially_destructible_v<json::array_t::const_iterator>);

/// Why the value is too large, or null. The recursion is limited by `depth`.
const char* excess(const json& value, std::size_t depth, value_size& so_far, const value_limits& limits) {
    if (const auto* const text = value.get_ptr<const json::string_t*>()) {
        so_far.bytes += text->size();
    } else if (value.is_structured()) {
        if (depth == 0) {
            return "it is nested too deeply";
        }
        so_far.keys += value.size();
        if (so_far.keys > limits.keys) {
            return "it has too many members";
        }
        for (auto member = value.begin(); member != value.end(); ++member) {
            so_far.bytes += value.is_object() ? member.key().size() : 0;
            if (const char* const why = excess(*member, depth - 1, so_far, limits)) {
                return why;
            }
        }
    }
    return so_far.bytes > limits.bytes ? "its texts are too long" : nullptr;
}

void push_number(lua_State* L, const json& value) {
    if (const auto* const integer = value.get_ptr<const json::number_integer_t*>(); integer != nullptr && !value.is_number_unsigned()) {
        lua_pushinteger(L, *integer);
        return;
    }
    if (const auto* const natural = value.get_ptr<const json::number_unsigned_t*>()) {
        if (*natural <= static_cast<json::number_unsigned_t>(LUA_MAXINTEGER)) {
            lua_pushinteger(L, static_cast<lua_Integer>(*natural));
        } else {
            lua_pushnumber(L, static_cast<lua_Number>(*natural));
        }
        return;
    }
    const double number = *value.get_ptr<const json::number_float_t*>();
    // A protobuf Struct sends every number as a double.
    if (std::abs(number) <= static_cast<double>(max_exact_integer) && std::trunc(number) == number) {
        lua_pushinteger(L, static_cast<lua_Integer>(number));
    } else {
        lua_pushnumber(L, number);
    }
}

}  // namespace

result<void> check_value(const json& value, const value_limits& limits) {
    value_size so_far;
    if (const char* const why = excess(value, limits.depth, so_far, limits)) {
        return failure{.code = errc::too_large,
                       .message = std::string("the value is too large for a plugin: ") + why,
                       .hint = "Send less: at most " + std::to_string(limits.depth) + " levels, " + std::to_string(limits.keys) +
                               " members and " + std::to_string(limits.bytes) + " bytes of text."};
    }
    return {};
}

void push_json(lua_State* L, const json& value) {
    luaL_checkstack(L, 8, "a value nests too deep");
    if (const auto* const text = value.get_ptr<const json::string_t*>()) {
        lua_pushlstring(L, text->data(), text->size());
    } else if (const auto* const truth = value.get_ptr<const json::boolean_t*>()) {
        lua_pushboolean(L, *truth ? 1 : 0);
    } else if (value.is_number()) {
        push_number(L, value);
    } else if (const auto* const members = value.get_ptr<const json::object_t*>()) {
        lua_createtable(L, 0, static_cast<int>(members->size()));
        for (auto at = members->begin(); at != members->end(); ++at) {
            lua_pushlstring(L, at->first.data(), at->first.size());
            push_json(L, at->second);
            lua_rawset(L, -3);
        }
    } else if (const auto* const items = value.get_ptr<const json::array_t*>()) {
        lua_createtable(L, static_cast<int>(items->size()), 0);
        lua_Integer index = 0;
        for (auto at = items->begin(); at != items->end(); ++at) {
            push_json(L, *at);
            lua_rawseti(L, -2, ++index);
        }
        mark_array(L, -1);
    } else {
        lua_pushlightuserdata(L, nullptr);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
