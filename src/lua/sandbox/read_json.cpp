#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/values.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The schema of a member, if `properties` has it.
const json* schema_below(const json* schema, std::string_view name) {
    const json* const properties = schema != nullptr ? find_member(*schema, "properties") : nullptr;
    return properties != nullptr ? find_member(*properties, name) : nullptr;
}

const json* schema_of_items(const json* schema) {
    return schema != nullptr ? find_member(*schema, "items") : nullptr;
}

bool says_array(const json* schema) {
    return schema != nullptr && string_member(*schema, "type") == "array";
}

/// Uses only functions of Lua's API that never raise.
class reader {
public:
    reader(lua_State* L, std::string_view what, const value_limits& limits) : L_(L), path_(what), limits_(limits) {}

    result<json> read(int index, const json* schema) {
        switch (lua_type(L_, index)) {
            case LUA_TNONE:
            case LUA_TNIL: return json(nullptr);
            case LUA_TBOOLEAN: return json(lua_toboolean(L_, index) != 0);
            case LUA_TNUMBER: return number(index);
            case LUA_TSTRING: return text(index);
            case LUA_TTABLE: return table(lua_absindex(L_, index), schema);
            case LUA_TLIGHTUSERDATA: return json(nullptr);
            default: break;
        }
        return refuse(std::string("is a ") + lua_typename(L_, lua_type(L_, index)),
                      "Use nil, booleans, numbers, strings and tables of these.");
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
        std::size_t size = 0;
        const char* const data = lua_tolstring(L_, index, &size);  // does not convert, because it is a string
        if (!add(bytes_, size, limits_.bytes)) {
            return too_large("holds more than " + std::to_string(limits_.bytes) + " bytes of text");
        }
        const std::string_view bytes(data, size);
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
        const bool marked = is_marked_array(L_, index);
        const lua_Unsigned length = lua_rawlen(L_, index);
        result<json> value = length > 0 || marked ? list(index, length, schema) : object(index, schema);
        open_.pop_back();
        return value;
    }

    result<json> list(int index, lua_Unsigned length, const json* schema) {
        json items = json::array();
        lua_Unsigned entries = 0;
        for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
            if (lua_type(L_, -2) == LUA_TSTRING) {
                const std::string name = lua_tostring(L_, -2);
                lua_pop(L_, 2);
                return refuse("has both list items and the name `" + pyaichat::detail::one_line(name, 40) + "`",
                              "Make it either a list or a table of names.");
            }
            if (++entries > limits_.keys) {
                lua_pop(L_, 2);
                return too_large("has more than " + std::to_string(limits_.keys) + " members");
            }
        }
        if (!add(keys_, length, limits_.keys)) {
            return too_large("has more than " + std::to_string(limits_.keys) + " members");
        }
        if (entries > length) {
            return refuse("is a list with holes", "Number the items from 1 without gaps; use pyaichat.null for missing items.");
        }
        for (lua_Unsigned i = 1; i <= length; ++i) {
            const std::size_t before = path_.size();
            path_ += "[" + std::to_string(i) + "]";
            lua_rawgeti(L_, index, static_cast<lua_Integer>(i));
            result<json> item = read(-1, schema_of_items(schema));
            lua_pop(L_, 1);
            if (!item) {
                return item;
            }
            path_.resize(before);
            items.push_back(std::move(*item));
        }
        return items;
    }

    result<json> object(int index, const json* schema) {
        json members = json::object();
        for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
            if (lua_type(L_, -2) != LUA_TSTRING) {
                const bool numbered = lua_type(L_, -2) == LUA_TNUMBER;
                const std::string type = lua_typename(L_, lua_type(L_, -2));
                lua_pop(L_, 2);
                return numbered ? refuse("is a list with holes, or has numbers as names",
                                         "Number the items from 1 without gaps, or make the names strings.")
                                : refuse("has a " + type + " as a name", "Make the names strings.");
            }
            std::size_t size = 0;
            const char* const data = lua_tolstring(L_, -2, &size);
            if (!add(keys_, 1, limits_.keys) || !add(bytes_, size, limits_.bytes)) {
                lua_pop(L_, 2);
                return too_large("has more than " + std::to_string(limits_.keys) + " members, or too long names");
            }
            std::string name(data, size);
            if (!pyaichat::detail::is_utf8(name)) {  // two names might become equal by a repair
                lua_pop(L_, 2);
                return refuse("has a name that is not UTF-8", "Write names in UTF-8.");
            }
            const std::size_t before = path_.size();
            path_ += "." + pyaichat::detail::one_line(name, 40);
            result<json> member = read(-1, schema_below(schema, name));
            if (!member) {
                lua_pop(L_, 2);
                return member;
            }
            path_.resize(before);
            members[std::move(name)] = std::move(*member);
        }
        return members.empty() && says_array(schema) ? json(json::array()) : members;
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
