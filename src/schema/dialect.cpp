#include "schema/dialect.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// By age.
constexpr std::array<standard_dialect, 5> dialects{{
    {"http://json-schema.org/draft-04/schema", draft::draft4},
    {"http://json-schema.org/draft-06/schema", draft::draft6},
    {"http://json-schema.org/draft-07/schema", draft::draft7},
    {"https://json-schema.org/draft/2019-09/schema", draft::draft2019},
    {"https://json-schema.org/draft/2020-12/schema", draft::draft2020},
}};

}  // namespace

bool dialect::has(vocabulary part) const noexcept {
    switch (part) {
        case vocabulary::applicator: return applicator;
        case vocabulary::unevaluated: return unevaluated;
        case vocabulary::validation: return validation;
        case vocabulary::core:
        case vocabulary::format:
        case vocabulary::annotation: break;
    }
    return true;
}

std::string_view without_scheme(std::string_view uri) noexcept {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (uri.starts_with(scheme)) {
            return uri.substr(scheme.size());
        }
    }
    return uri;
}

const standard_dialect* find_standard_dialect(std::string_view uri) noexcept {
    if (uri.ends_with('#')) {
        uri.remove_suffix(1);
    }
    const auto* const found = std::find_if(dialects.begin(), dialects.end(), [&](const standard_dialect& entry) {
        return without_scheme(entry.uri) == without_scheme(uri) && without_scheme(uri) != uri;
    });
    return found != dialects.end() ? found : nullptr;
}

std::string_view meta_schema_of(draft which) noexcept {
    return dialects[static_cast<std::size_t>(which)].uri;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
