#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// A word in a schema that is probably misspelled.
struct schema_slip {
    std::string path = {};  ///< the place in the manifest, as in `source_map`
    std::string what = {};
    std::string change = {};
};

/// Finds the first unknown keyword that resembles a known one, or the first name in `required` that resembles one of `properties`. JSON
/// Schema ignores both, so such a schema would check less than its author intends. Other unknown keywords are allowed.
[[nodiscard]] std::optional<schema_slip> find_schema_slip(const json& schema, const std::string& path);

/// Turns empty objects into empty lists where JSON Schema requires a list (`required = {}`), because an empty Lua table may be either.
/// The recursion is limited by the depth of values that are read from Lua.
void restore_lists(json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
