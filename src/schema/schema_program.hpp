#pragma once
#include <pyaichat/core/json.hpp>

#include "schema/format.hpp"
#include "schema/number.hpp"
#include "schema/pattern.hpp"

#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// An index into `schema_program::nodes`. With references, the nodes form a graph that may have cycles.
using node_index = std::uint32_t;
inline constexpr node_index no_node = std::numeric_limits<node_index>::max();
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A bit set of types.
using type_set = std::uint8_t;
inline constexpr type_set null_type = 1, boolean_type = 2, object_type = 4, array_type = 8, string_type = 16, number_type = 32,
                          integer_type = 64;

struct size_range {
    std::uint64_t least = 0;
    std::uint64_t most = unlimited;
};

struct number_rules {
    const json* minimum = nullptr;
    const json* maximum = nullptr;
    const json* exclusive_minimum = nullptr;
    const json* exclusive_maximum = nullptr;
    const json* multiple_of = nullptr;
    decimal divisor = {};  ///< the value of `multiple_of`
};

struct string_rules {
    size_range length = {};
    std::optional<pattern> must_match = {};
    std::string_view pattern_text = {};
    const text_format* format = nullptr;
};

struct array_rules {
    size_range size = {};
    bool unique = false;
    std::vector<node_index> prefix = {};
    node_index items = no_node;
    node_index contains = no_node;
    size_range contained = {1, unlimited};
    bool contains_evaluates = true;  ///< for `unevaluatedItems`
};

struct named_node {
    std::string_view name = {};
    node_index node = no_node;
};

struct pattern_node {
    pattern names;
    node_index node = no_node;
};

struct dependency {
    std::string_view name = {};
    std::vector<std::string_view> needed = {};
};

struct object_rules {
    size_range size = {};
    std::vector<std::string_view> required = {};
    std::vector<dependency> dependencies = {};
    std::vector<named_node> properties = {};  ///< sorted by name
    std::vector<pattern_node> patterns = {};
    node_index additional = no_node;
    node_index names = no_node;

    [[nodiscard]] bool look_at_members() const noexcept {
        return !properties.empty() || !patterns.empty() || additional != no_node || names != no_node;
    }
};

/// A `$dynamicRef`, whose target depends on the dynamic scope.
struct dynamic_reference {
    node_index target = no_node;  ///< the target if no resource in the scope has the anchor
    std::uint32_t anchor = 0;     ///< index of the anchor's name
};

/// Keywords that apply other schemas to the same value.
struct in_place_rules {
    node_index reference = no_node;
    std::optional<dynamic_reference> dynamic = {};
    std::vector<node_index> all_of = {};
    std::vector<node_index> any_of = {};
    std::vector<node_index> one_of = {};
    node_index none_of = no_node;
    node_index condition = no_node;
    node_index when_true = no_node;
    node_index when_false = no_node;
    std::vector<named_node> dependent = {};
};

/// One schema. A group of rules is null if the schema has no keyword of the group.
struct schema_node {
    const json* source = nullptr;
    std::uint32_t resource = 0;
    type_set types = 0;                      ///< 0: any
    bool integers_without_fraction = false;  ///< 1.0 is not an integer
    bool always = false;                     ///< accepts everything
    bool never = false;                      ///< the schema `false`
    const json* constant = nullptr;
    const json* choices = nullptr;                 ///< the value of `enum`
    std::vector<const json*> sorted_choices = {};  ///< by `compare_json`
    std::unique_ptr<number_rules> numbers = {};
    std::unique_ptr<string_rules> strings = {};
    std::unique_ptr<array_rules> arrays = {};
    std::unique_ptr<object_rules> objects = {};
    std::unique_ptr<in_place_rules> in_place = {};
    node_index unevaluated_items = no_node;
    node_index unevaluated_properties = no_node;

    [[nodiscard]] bool needs_annotations() const noexcept { return unevaluated_items != no_node || unevaluated_properties != no_node; }
};

/// A schema resource (a document or a schema with an `$id`) in the dynamic scope.
struct schema_resource {
    std::vector<std::pair<std::uint32_t, node_index>> dynamic_anchors = {};
};

/// A compiled schema. Names, constants and patterns are views into `documents` or into the built-in meta-schemas.
struct schema_program {
    std::list<json> documents = {};
    std::vector<schema_node> nodes = {};
    std::vector<schema_resource> resources = {};
    node_index root = 0;
    bool has_dynamic_references = false;
    std::uint64_t max_steps = 0;
    std::vector<std::string> remarks = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
