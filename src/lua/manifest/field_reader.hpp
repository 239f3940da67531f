#pragma once
#include "lua/manifest/source_map.hpp"
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/result.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Pushes the value of the field, raw, or nil; without allocating, so that it never raises.
int push_field(lua_State* L, int index, std::string_view name) noexcept;

/// Reads fields of the tables of a manifest, raw. What is false has left a failure behind; the first one counts.
class field_reader {
public:
    field_reader(lua_State* L, std::string_view file, const source_map& lines) : L_(L), file_(file), lines_(lines) {}

    [[nodiscard]] const std::optional<failure>& failed() const noexcept { return failed_; }

protected:
    /// Always false. `path` is the place in the manifest, as `source_map` has it.
    bool refuse(std::string_view path, const std::string& what, std::string change);

    /// Every field has a name that is known; a slip is told what it may have been meant to be.
    bool known_fields(int index, std::string_view path, const std::vector<std::string>& known);
    /// An optional text: one line, short, nothing in it that a person cannot see.
    bool text(int index, std::string_view path, std::string_view name, std::string& into);
    /// The field `name`, of the closed set of letters that names have.
    bool name_of(int index, std::string_view path, std::string& into);

    [[nodiscard]] static std::string below(std::string_view path, std::string_view name) {
        return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
    }
    [[nodiscard]] std::string type_at_top() const { return luaL_typename(L_, -1); }

    lua_State* L_;
    std::string_view file_;
    const source_map& lines_;

private:
    std::optional<failure> failed_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
