#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The documents below https://json-schema.org/draft/2020-12/ and below https://json-schema.org/draft/2019-09/, by name. The members that
/// are much the same in all of them are added when they are read: `$schema`, `$id`, `$dynamicAnchor` or `$recursiveAnchor`, `$vocabulary`
/// and `type`.
extern const std::string_view meta_schemas_2020;
extern const std::string_view meta_schemas_2019;

/// The meta-schemas of draft-04 and draft-07, by URI without fragment. That of draft-06 is the latter with fewer keywords.
extern const std::string_view meta_schemas_until_draft7;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
