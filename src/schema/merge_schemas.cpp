#include "schema/merge_schemas.hpp"

#include "schema/json_order.hpp"
#include "schema/number.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using lost_keywords = std::vector<std::pair<std::string, json>>;

bool is_in_list(const json& list, const json& value) {
    std::uint64_t work = 0;
    return std::any_of(list.begin(), list.end(), [&](const json& entry) { return compare_json(entry, value, work) == 0; });
}

/// The types of both lists. An integer is a number, too.
json common_types(const json& left, const json& right) {
    const json others = right.is_array() ? right : json::array({right});
    json common = json::array();
    for (const json& type : left.is_array() ? left : json::array({left})) {
        if (is_in_list(others, type) || (type == "integer" && is_in_list(others, "number"))) {
            common.push_back(type);
        } else if (type == "number" && is_in_list(others, "integer")) {
            common.push_back("integer");
        }
    }
    return common.size() == 1 ? json(common.front()) : common;
}

/// Merges the values of a keyword that both schemas have, if there is a way.
std::optional<json> merged(std::string_view keyword, const json& left, const json& right, lost_keywords& lost) {
    constexpr std::array<std::string_view, 5> largest{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"};
    constexpr std::array<std::string_view, 5> smallest{"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"};
    const auto is_one_of = [keyword](const auto& names) { return std::find(names.begin(), names.end(), keyword) != names.end(); };
    if (is_one_of(largest) && left.is_number() && right.is_number()) {
        return compare_numbers(left, right) >= 0 ? left : right;
    }
    if (is_one_of(smallest) && left.is_number() && right.is_number()) {
        return compare_numbers(left, right) <= 0 ? left : right;
    }
    if (keyword == "type") {
        json common = common_types(left, right);
        return common.is_array() && common.empty() ? std::nullopt : std::optional(std::move(common));
    }
    if (keyword == "enum" && left.is_array() && right.is_array()) {
        json common = json::array();
        std::copy_if(left.begin(), left.end(), std::back_inserter(common), [&](const json& value) { return is_in_list(right, value); });
        return common.empty() ? std::nullopt : std::optional(std::move(common));
    }
    if (keyword == "required" && left.is_array() && right.is_array()) {
        json all = left;
        std::copy_if(right.begin(), right.end(), std::back_inserter(all), [&](const json& name) { return !is_in_list(left, name); });
        return all;
    }
    if ((keyword == "properties" || keyword == "$defs") && left.is_object() && right.is_object()) {
        json all = left;
        for (const auto& [name, schema] : right.items()) {
            if (const auto found = all.find(name); found != all.end()) {
                lost_keywords inner = merge_into(*found, schema);
                std::move(inner.begin(), inner.end(), std::back_inserter(lost));
            } else {
                all[name] = schema;
            }
        }
        return all;
    }
    if (keyword == "additionalProperties" && right == false) {
        return right;
    }
    return std::nullopt;
}

}  // namespace

lost_keywords merge_into(json& schema, const json& other) {
    lost_keywords lost;
    if (!schema.is_object() || !other.is_object()) {
        schema = other == false || schema == true ? other : schema;
        return lost;
    }
    // These keywords apply to what others of the group leave over, so a group is taken as a whole.
    constexpr std::array<std::string_view, 2> items{"prefixItems", "items"};
    constexpr std::array<std::string_view, 3> contains{"contains", "minContains", "maxContains"};
    constexpr std::array<std::string_view, 3> condition{"if", "then", "else"};
    const auto has_one_of = [&schema](const auto& group) {
        return std::any_of(group.begin(), group.end(), [&](std::string_view name) { return schema.contains(name); });
    };
    const std::array<bool, 3> taken{has_one_of(items), has_one_of(contains), has_one_of(condition)};
    for (const auto& [name, value] : other.items()) {
        const auto is_in = [&name = name](const auto& group) { return std::find(group.begin(), group.end(), name) != group.end(); };
        if ((taken[0] && is_in(items)) || (taken[1] && is_in(contains)) || (taken[2] && is_in(condition))) {
            lost.emplace_back(name, value);
            continue;
        }
        const auto existing = schema.find(name);
        if (existing == schema.end()) {
            schema[name] = value;
        } else if (std::optional<json> both = merged(name, *existing, value, lost)) {
            *existing = *std::move(both);
        } else if (*existing != value) {
            lost.emplace_back(name, value);
        }
    }
    return lost;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
