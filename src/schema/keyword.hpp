#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The drafts of JSON Schema, oldest first.
enum class draft : std::uint8_t { draft4, draft6, draft7, draft2019, draft2020 };

/// The part of the specification that a keyword belongs to. Drafts before 2019-09 have all parts.
enum class vocabulary : std::uint8_t { core, applicator, unevaluated, validation, format, annotation };

/// Where the value of a keyword holds schemas.
enum class schemas_in : std::uint8_t {
    none,
    value,          ///< the value is a schema
    elements,       ///< the elements of an array
    members,        ///< the members of an object
    value_or_list,  ///< the value or its elements: `items` before 2020-12
};

/// A keyword and the drafts that have it. A schema of another draft treats it like any unknown member.
struct schema_keyword {
    std::string_view name;
    vocabulary part;
    schemas_in holds;
    draft since;
    draft until;

    [[nodiscard]] constexpr bool is_in(draft which) const noexcept { return since <= which && which <= until; }
};

/// Returns the keyword `name`, or null if no draft has it.
[[nodiscard]] const schema_keyword* find_keyword(std::string_view name) noexcept;

/// Returns whether the draft ignores all members beside the `$ref` of a schema, and the schema has a `$ref`.
[[nodiscard]] bool is_only_reference(const json& schema, draft which) noexcept;

/// Returns the member `name` of a schema if it is a keyword in the draft and not ignored because of a `$ref`, else null.
[[nodiscard]] const json* keyword_value(const json& schema, std::string_view name, draft which) noexcept;

/// Calls `visit` with each schema directly inside `schema`. Beside a `$ref` that hides its siblings, only definitions count.
template <class Visit>
void for_each_subschema(const json& schema, draft which, Visit visit) {
    if (!schema.is_object()) {
        return;
    }
    const bool only_definitions = is_only_reference(schema, which);
    for (const auto& [name, value] : *schema.get_ptr<const json::object_t*>()) {
        const schema_keyword* const found = find_keyword(name);
        if (found == nullptr || !found->is_in(which) || found->holds == schemas_in::none || (only_definitions && name != "definitions")) {
            continue;
        }
        const bool is_value = found->holds == schemas_in::value || (found->holds == schemas_in::value_or_list && !value.is_array());
        if (is_value) {
            visit(value);
        } else if (value.is_structured()) {
            for (const json& inner : value) {
                visit(inner);
            }
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
