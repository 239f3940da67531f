#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/schema/reduce.hpp>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns the entry of `tools` for a function, with a schema reduced to what the service accepts. `strict` asks for a strict declaration,
/// if the schema allows one.
[[nodiscard]] json declared_tool(const capability_spec& spec, const schema_profile& accepted, bool strict);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
