#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/validate.hpp>

#include "schema/dialect.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the meta-schema of a draft, or of one of its vocabularies, by URI without fragment, http or https; null for other URIs. Never
/// destroyed.
[[nodiscard]] const json* built_in_document(std::string_view uri);

/// Returns the name of a standard vocabulary, such as "validation". Empty for other URIs.
[[nodiscard]] std::string_view vocabulary_name(std::string_view uri) noexcept;

/// Returns the compiled meta-schema of a draft. Compiled on first use, never destroyed.
[[nodiscard]] const compiled_schema& standard_meta_schema(draft which);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
