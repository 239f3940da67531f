#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// A word in a schema that was most likely meant to be another one.
struct schema_slip {
    std::string path = {};  ///< in the manifest, as `source_map` has it
    std::string what = {};
    std::string change = {};
};

/// The first keyword that nobody knows and that is nearly one that is known, or the first name in `required` that is nearly one of
/// `properties`. JSON Schema ignores both, so such a schema would check less than its author thinks. Words that are like no other are his
/// own affair.
[[nodiscard]] std::optional<schema_slip> find_schema_slip(const json& schema, const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
