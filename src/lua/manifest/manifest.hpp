#pragma once
#include "lua/manifest/source_map.hpp"
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/schema/validate.hpp>

#include <bitset>
#include <cstddef>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The hooks that a plugin may have, with the names that they have in its file.
enum class hook : unsigned char { on_question, before_model, before_call, after_call, on_answer, on_event };
inline constexpr const auto& hook_names = pyaichat::detail::enumerator_names<hook>;
using hook_set = std::bitset<pyaichat::detail::enumerator_names<hook>.size()>;

struct declared_capability {
    capability_spec spec = {};
    compiled_schema arguments;
    json returns = {};  ///< the schema of the result, which decides whether an empty table is a list; null = none
    int line = 0;
};

/// What a plugin declares, read from the table that its file returns.
struct manifest {
    std::string name = {};
    std::string version = {};
    int line = 0;  ///< of the field `name`
    std::vector<std::string> uses = {};
    std::vector<declared_capability> capabilities = {};
    hook_set hooks = {};

    [[nodiscard]] bool has(hook which) const noexcept { return hooks[static_cast<std::size_t>(which)]; }
};

/// Reads the manifest, the table at `index`, without calling metamethods. Never raises. Fails with `invalid_argument`: the message begins
/// with `file:line:`, the hint says what to change.
[[nodiscard]] result<manifest> read_manifest(lua_State* L, int index, std::string_view file, const source_map& lines);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
