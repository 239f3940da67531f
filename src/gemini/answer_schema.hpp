#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Converts a JSON Schema to the form of `generationConfig.responseJsonSchema` (wire document, section 4.3). References are inlined,
/// `const` becomes an `enum`, and annotations that the service does not know are dropped. Returns nothing if the service would ignore a
/// part of the schema, read it differently, or may refuse it: then the answer must be asked for in another way.
[[nodiscard]] std::optional<json> answer_schema(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
