#include "lua/sandbox/values.hpp"

#include "lua/sandbox/environment.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

// These live in frames that a Lua error may skip.
static_assert(std::is_trivially_destructible_v<json::object_t::const_iterator>);
static_assert(std::is_trivially_destructible_v<json::array_t::const_iterator>);
static_assert(std::is_trivially_destructible_v<std::optional<std::int64_t>>);

/// The largest integer that every reader of JSON keeps exact.
constexpr std::int64_t max_exact_integer = std::int64_t{1} << 53;

void push_number(lua_State* L, const json& value) {
    const double number = as_number(value).value_or(0);
    const std::optional<std::int64_t> integer = as_integer(value);  // a protobuf Struct sends every number as a double
    if (integer && (value.is_number_integer() || std::abs(number) <= static_cast<double>(max_exact_integer))) {
        lua_pushinteger(L, *integer);
    } else {
        lua_pushnumber(L, number);
    }
}

const json* member_of(const json* object, std::string_view name) {
    return object != nullptr ? find_member(*object, name) : nullptr;
}

/// Uses only functions of Lua's API that never raise. A read that fails may leave values on Lua's stack.
class reader {
public:
    reader(lua_State* L, std::string_view what, const value_limits& limits) : L_(L), path_(what), limits_(limits) {}

    result<json> read(int index, const json* schema) {
        switch (lua_type(L_, index)) {
            case LUA_TNONE:
            case LUA_TNIL:
            case LUA_TLIGHTUSERDATA: return json(nullptr);
            case LUA_TBOOLEAN: return json(lua_toboolean(L_, index) != 0);
            case LUA_TNUMBER: return number(index);
            case LUA_TSTRING: return text(index);
            case LUA_TTABLE: return table(lua_absindex(L_, index), schema);
            default: break;
        }
        return refuse(std::string("is a ") + luaL_typename(L_, index), "Use nil, booleans, numbers, strings and tables of these.");
    }

private:
    result<json> number(int index) {
        if (lua_isinteger(L_, index) != 0) {
            const std::int64_t integer = lua_tointeger(L_, index);
            if (integer > max_exact_integer || integer < -max_exact_integer) {
                return json(std::to_string(integer));
            }
            return json(integer);
        }
        const double value = lua_tonumber(L_, index);
        return std::isfinite(value) ? json(value) : json(nullptr);
    }

    result<json> text(int index) {
        const std::string_view bytes = string_at(L_, index);
        if (!add(bytes_, bytes.size(), limits_.bytes)) {
            return too_large("holds more than " + std::to_string(limits_.bytes) + " bytes of text");
        }
        return json(pyaichat::detail::is_utf8(bytes) ? std::string(bytes) : pyaichat::detail::repair_utf8(bytes));
    }

    result<json> table(int index, const json* schema) {
        // An emptied table takes as long to walk as a full one, and the value may contain it many times.
        if (std::chrono::steady_clock::now() > until_) {
            return too_large("takes too long to read");
        }
        const void* const identity = lua_topointer(L_, index);
        if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
            return refuse("contains itself", "Remove the cycle.");
        }
        if (open_.size() >= limits_.depth || lua_checkstack(L_, 4) == 0) {
            return too_large("nests deeper than " + std::to_string(limits_.depth) + " levels");
        }
        open_.push_back(identity);
        const lua_Unsigned length = lua_rawlen(L_, index);
        result<json> value = length > 0 || is_marked_array(L_, index) ? list(index, length, schema) : object(index, schema);
        open_.pop_back();
        return value;
    }

    result<json> list(int index, lua_Unsigned length, const json* schema) {
        lua_Unsigned entries = 0;
        for (lua_pushnil(L_); lua_next(L_, index) != 0 && entries <= limits_.keys; lua_pop(L_, 1)) {
            if (lua_type(L_, -2) == LUA_TSTRING) {
                return refuse("has both list items and the name `" + pyaichat::detail::one_line(string_at(L_, -2), 40) + "`",
                              "Make it either a list or a table of names.");
            }
            ++entries;
        }
        if (entries > limits_.keys || !add(keys_, length, limits_.keys)) {
            return too_large("has more than " + std::to_string(limits_.keys) + " members");
        }
        if (entries > length) {
            return refuse("is a list with holes", "Number the items from 1 without gaps; use pyaichat.null for missing items.");
        }
        json items = json::array();
        for (lua_Unsigned i = 1; i <= length; ++i) {
            lua_rawgeti(L_, index, static_cast<lua_Integer>(i));
            result<json> item = read_part("[" + std::to_string(i) + "]", member_of(schema, "items"));
            lua_pop(L_, 1);
            if (!item) {
                return item;
            }
            items.push_back(std::move(*item));
        }
        return items;
    }

    result<json> object(int index, const json* schema) {
        json members = json::object();
        for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
            if (lua_type(L_, -2) == LUA_TNUMBER) {
                return refuse("is a list with holes, or has numbers as names",
                              "Number the items from 1 without gaps, or make the names strings.");
            }
            if (lua_type(L_, -2) != LUA_TSTRING) {
                return refuse(std::string("has a ") + luaL_typename(L_, -2) + " as a name", "Make the names strings.");
            }
            const std::string_view name = string_at(L_, -2);
            if (!add(keys_, 1, limits_.keys) || !add(bytes_, name.size(), limits_.bytes)) {
                return too_large("has more than " + std::to_string(limits_.keys) + " members, or too long names");
            }
            if (!pyaichat::detail::is_utf8(name)) {  // two names might become equal by a repair
                return refuse("has a name that is not UTF-8", "Write names in UTF-8.");
            }
            result<json> member = read_part("." + pyaichat::detail::one_line(name, 40), member_of(member_of(schema, "properties"), name));
            if (!member) {
                return member;
            }
            members[std::string(name)] = std::move(*member);
        }
        return members.empty() && schema != nullptr && string_member(*schema, "type") == "array" ? json(json::array()) : members;
    }

    /// Reads the value at the top of the stack, whose place is `step` below the current one.
    result<json> read_part(const std::string& step, const json* schema) {
        const std::size_t before = path_.size();
        path_ += step;
        result<json> part = read(-1, schema);
        path_.resize(before);
        return part;
    }

    [[nodiscard]] static bool add(std::size_t& sum, std::size_t more, std::size_t limit) {
        sum += std::min(more, limit + 1);
        return sum <= limit;
    }

    [[nodiscard]] failure refuse(const std::string& what, std::string hint) const {
        return {.code = errc::invalid_argument, .message = path_ + " " + what, .hint = std::move(hint)};
    }
    [[nodiscard]] failure too_large(const std::string& what) const {
        return {.code = errc::too_large, .message = path_ + " " + what, .hint = std::string(limits_.change)};
    }

    lua_State* L_;
    std::string path_;
    value_limits limits_;
    const std::chrono::steady_clock::time_point until_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limits_.time);
    std::size_t keys_ = 0;
    std::size_t bytes_ = 0;
    std::vector<const void*> open_;
};

}  // namespace

value_size size_of(const json& value) {
    value_size sum;
    if (const auto text = as_string(value)) {
        sum.bytes = text->size();
    } else if (value.is_structured()) {
        sum.keys = value.size();
        for (auto member = value.begin(); member != value.end(); ++member) {
            const value_size part = size_of(*member);
            sum.keys += part.keys;
            sum.bytes += part.bytes + (value.is_object() ? member.key().size() : 0);
        }
    }
    return sum;
}

result<void> check_value(const json& value) {
    const value_limits limits;
    const bool deep = nests_deeper_than(value, limits.depth);
    const value_size size = deep ? value_size() : size_of(value);
    if (!deep && size.keys <= limits.keys && size.bytes <= limits.bytes) {
        return {};
    }
    const std::string why = deep                      ? "it is nested too deeply"
                            : size.keys > limits.keys ? "it has too many members"
                                                      : "its texts are too long";
    return failure{.code = errc::too_large,
                   .message = "the value is too large for a plugin: " + why,
                   .hint = "Send less: at most " + std::to_string(limits.depth) + " levels, " + std::to_string(limits.keys) +
                           " members and " + std::to_string(limits.bytes) + " bytes of text."};
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

result<json> read_json(lua_State* L, int index, std::string_view what, const json* schema, const value_limits& limits) {
    if (lua_checkstack(L, 4) == 0) {
        return failure{.code = errc::too_large, .message = std::string(what) + " cannot be read: Lua's stack is full", .hint = {}};
    }
    const int top = lua_gettop(L);
    result<json> value = reader(L, what, limits).read(lua_absindex(L, index), schema);
    lua_settop(L, top);
    return value;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
