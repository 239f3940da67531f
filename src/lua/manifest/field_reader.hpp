#pragma once
#include "lua/manifest/source_map.hpp"
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/validate.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Pushes the raw value of a field, or nil, and returns its Lua type. Does not allocate, so it never raises.
int push_field(lua_State* L, int index, std::string_view name) noexcept;

/// Reads raw fields of the tables of a manifest. A function that returns false has stored a failure and may leave values on Lua's stack;
/// reading ends there.
class field_reader {
public:
    field_reader(lua_State* L, std::string_view file, const source_map& lines) : L_(L), file_(file), lines_(lines) {}

    [[nodiscard]] const std::optional<failure>& failed() const noexcept { return failed_; }

protected:
    /// Stores a failure and returns false. `path` is the place in the manifest, as in `source_map`.
    bool refuse(std::string_view path, const std::string& what, std::string change);

    /// Checks that the names of all fields are known. The hint for a misspelled name is the nearest known one.
    bool known_fields(int index, std::string_view path, const std::vector<std::string>& known);
    /// Reads an optional string: one short line without invisible characters.
    bool text(int index, std::string_view path, std::string_view name, std::string& into);
    /// Reads the field `name` and checks its characters.
    bool name_of(int index, std::string_view path, std::string& into);
    /// Reads an optional schema and compiles it, so that its errors are found before it is used. Limits the total size and time of all
    /// schemas, because the sandbox counts only the work of Lua. A missing schema becomes null; compiled, it accepts any object. Returns
    /// `nullopt` if it fails.
    std::optional<compiled_schema> schema(int index, const std::string& path, const std::string& name, json& into);

    [[nodiscard]] static std::string below(std::string_view path, std::string_view name) {
        return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
    }
    [[nodiscard]] std::string type_at_top() const { return luaL_typename(L_, -1); }

    lua_State* L_;
    std::string_view file_;
    const source_map& lines_;

private:
    static constexpr std::size_t max_schema_keys = 10'000;
    static constexpr std::size_t max_schema_bytes = std::size_t{256} << 10;

    bool schema_at_top(const std::string& where, const std::string& name, json& into);
    [[nodiscard]] duration time_left() const;
    bool in_time(const std::string& where);

    std::optional<failure> failed_ = {};
    std::size_t keys_left_ = max_schema_keys;
    std::size_t bytes_left_ = max_schema_bytes;
    const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
