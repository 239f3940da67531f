#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The regular expressions that a service accepts in `pattern`.
enum class pattern_support : std::uint8_t {
    none,
    plain,    ///< anchored at both ends; only characters, classes, groups, alternatives and small counts
    regular,  ///< no look-around, no back references, no boundaries, no properties of characters
    all,
};

/// The JSON Schema that a service accepts for the parameters of a function. A table: lists are words separated by blanks.
struct schema_profile {
    std::string_view name = {};
    std::string_view keywords = {};     ///< the accepted keywords of draft 2020-12; all others are left out
    std::string_view formats = {};      ///< the accepted values of `format`; "*" accepts all
    std::string_view enum_types = "*";  ///< the accepted types of the values of `enum` and `const`; "*" accepts all
    pattern_support patterns = pattern_support::all;
    bool references = true;     ///< accepts local `$ref` and `$defs`, also recursive; else references are inlined and recursion is cut
    bool type_lists = true;     ///< accepts `"type": ["string", "null"]`; else `anyOf` is used
    bool object_root = true;    ///< the root must have `"type": "object"` and none of `anyOf`, `oneOf`, `allOf`, `not` and `enum`
    bool items_needed = false;  ///< an array must have `items`
    std::uint64_t max_count =
        UINT64_MAX;                      ///< the largest accepted value of `maxLength`, `minItems` and the like, and of `{n}` in a pattern
    std::size_t max_choices = SIZE_MAX;  ///< the largest accepted number of values in an `enum`
    std::size_t max_depth = 64;          ///< deeper subschemas accept everything
    std::size_t max_schemas = 10'000;    ///< the maximum number of subschemas; further ones accept everything
};

/// A schema that a service accepts.
struct reduced_schema {
    json schema = {};
    std::vector<std::string> left_out = {};  ///< "#/properties/zip: must match the pattern \"^\\d{5}$\""; also in the descriptions
};

/// Reduces a schema of any draft to what a service accepts, written in draft 2020-12. The reduced schema accepts each value that the full
/// schema accepts, and possibly more (with `object_root`: each object). Left-out keywords are described in the `description` of their
/// subschema, for the model. Arguments still have to be validated against the full schema. Never throws and terminates on any input; a
/// reference that cannot be resolved, or that leads back to itself without reaching a part of the value, accepts everything.
[[nodiscard]] reduced_schema reduce_schema(const json& schema, const schema_profile& profile);

}  // namespace pyaichat::inline PYAICHAT_ABI
