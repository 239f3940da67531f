#pragma once
#include <pyaichat/config/config.hpp>

#include <array>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The keywords of draft 2020-12 whose value is a schema, an array of schemas, or an object of schemas. `definitions` is the old name of
/// `$defs`.
inline constexpr std::array<std::string_view, 11> schema_keywords{
    "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties"};
inline constexpr std::array<std::string_view, 4> schema_array_keywords{"allOf", "anyOf", "oneOf", "prefixItems"};
inline constexpr std::array<std::string_view, 5> schema_map_keywords{"$defs", "definitions", "dependentSchemas", "patternProperties",
                                                                     "properties"};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
