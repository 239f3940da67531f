#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/validate.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

inline constexpr std::string_view standard_dialect = "https://json-schema.org/draft/2020-12/schema";
inline constexpr std::string_view vocabulary_prefix = "https://json-schema.org/draft/2020-12/vocab/";

/// Returns the meta-schema of draft 2020-12, or of one of its vocabularies, by URI without fragment; null for other URIs. Never destroyed.
[[nodiscard]] const json* built_in_document(std::string_view uri);

/// Returns the compiled meta-schema of draft 2020-12. Compiled on first use, never destroyed.
[[nodiscard]] const compiled_schema& standard_meta_schema();

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
