#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// A JSON Schema in the closed subset of `FunctionDeclaration.parameters` (wire document, section 4.2): references inlined, `const` as an
/// enumeration of one, "or null" as `nullable`, `oneOf` as `anyOf`, several types as `anyOf`, annotations that the subset lacks left out,
/// and `additionalProperties` too unless it is a schema. Null for an object without properties: then the member is left out.
///
/// Any thread; terminates on any input. Fails with `invalid_argument` for what the subset cannot express (the message names the keyword
/// and where it stands, as a JSON Pointer) and for references that lead back to themselves, with `not_found` for a reference to nothing,
/// and with `too_large` when the inlined schema would be deeper than `max_json_depth` or have more than 10,000 nodes.
[[nodiscard]] result<json> closed_schema(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
