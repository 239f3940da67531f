#pragma once
#include <pyaichat/config/config.hpp>

#include "schema/keyword.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The keywords of a resource: its draft and the vocabularies of its meta-schema.
struct dialect {
    draft which = draft::draft2020;
    std::string_view meta_schema = {};  ///< a URI that lives as long as the options of the compilation
    bool applicator = true;
    bool unevaluated = true;
    bool validation = true;
    bool format_assertion = false;

    [[nodiscard]] bool has(vocabulary part) const noexcept;
};

/// A draft and the URI of its meta-schema, without fragment.
struct standard_dialect {
    std::string_view uri;
    draft which;
};

/// Finds a draft by the URI of its meta-schema, with or without an empty fragment, http or https. Null for other URIs.
[[nodiscard]] const standard_dialect* find_standard_dialect(std::string_view uri) noexcept;

/// The URI of the meta-schema of a draft.
[[nodiscard]] std::string_view meta_schema_of(draft which) noexcept;

/// Removes `http://` or `https://`.
[[nodiscard]] std::string_view without_scheme(std::string_view uri) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
