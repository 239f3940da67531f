#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Converts a JSON Schema to the closed subset that `FunctionDeclaration.parameters` accepts (wire document, section 4.2). References are
/// inlined, `const` becomes an `enum`, null becomes `nullable`, `oneOf` and lists of types become `anyOf`. Unsupported annotations and
/// boolean `additionalProperties` are dropped. Returns null for an object without properties, whose declaration has no `parameters`.
///
/// Thread-safe; terminates on any input. Fails with `invalid_argument` (not expressible, or recursive; the message names the keyword and
/// its JSON Pointer), `not_found` (a reference to nothing) or `too_large` (deeper than `max_json_depth` or more than 10,000 nodes).
[[nodiscard]] result<json> closed_schema(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
