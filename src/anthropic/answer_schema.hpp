#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns whether the service can hold an answer to a schema (wire document, sections 4 and 9): no recursion, no keyword that it does not
/// compile, each object closed, at most 24 optional properties and 16 unions.
[[nodiscard]] bool is_enforceable(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
