#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_spec.hpp>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns the entry of `tools` for a function. `strict` asks for a strict declaration, if the schema allows one.
[[nodiscard]] json declared_tool(const capability_spec& spec, bool strict);

/// Returns the schema of the parameters as the service takes it: with `"type": "object"` at the root and without combinations there. What
/// was left out is added to `description`. All schemas that are declared pass here.
[[nodiscard]] json declared_parameters(const json& parameters, std::string& description);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
