#include <pyaichat/core/text.hpp>

#include "schema/json_order.hpp"
#include "schema/number.hpp"
#include "schema/schema_compiler.hpp"
#include "schema/uri.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

type_set type_named(std::string_view name) noexcept {
    constexpr std::array<std::pair<std::string_view, type_set>, 7> types{{{"null", null_type},
                                                                          {"boolean", boolean_type},
                                                                          {"object", object_type},
                                                                          {"array", array_type},
                                                                          {"string", string_type},
                                                                          {"number", number_type},
                                                                          {"integer", integer_type}}};
    const auto found = std::find_if(types.begin(), types.end(), [&](const auto& entry) { return entry.first == name; });
    return found != types.end() ? found->second : 0;
}

}  // namespace

void schema_compiler::compile_values(const task& work, schema_node& node) {
    if (const json* types = keyword_of(work, "type")) {
        const auto add = [&](const json& name) {
            const type_set type = type_named(as_string(name).value_or(""));
            if (type == 0) {
                refuse(work, "type", "must be the name of a type or an array of them");
            }
            node.types = static_cast<type_set>(node.types | type);
        };
        node.integers_without_fraction = work.active.which == draft::draft4;
        if (types->is_array()) {
            std::for_each(types->begin(), types->end(), add);
        } else {
            add(*types);
        }
    }
    node.constant = keyword_of(work, "const");
    node.choices = member(work, "enum", &json::is_array, "must be an array");
    if (node.choices != nullptr) {
        std::uint64_t comparisons = 0;
        node.sorted_choices = sorted_elements(*node.choices->get_ptr<const json::array_t*>(), comparisons);
    }
}

void schema_compiler::compile_numbers(const task& work, schema_node& node) {
    node.numbers = rules_if_any<number_rules>(work, {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"});
    if (node.numbers == nullptr) {
        return;
    }
    number_rules& rules = *node.numbers;
    rules.minimum = number(work, "minimum");
    rules.maximum = number(work, "maximum");
    if (work.active.which == draft::draft4) {
        // A flag that says how the bound is meant.
        const auto is_exclusive = [&](std::string_view keyword) {
            const json* flag = member(work, keyword, &json::is_boolean, "must be true or false");
            return flag != nullptr && *as_bool(*flag);
        };
        if (is_exclusive("exclusiveMinimum")) {
            rules.exclusive_minimum = std::exchange(rules.minimum, nullptr);
        }
        if (is_exclusive("exclusiveMaximum")) {
            rules.exclusive_maximum = std::exchange(rules.maximum, nullptr);
        }
    } else {
        rules.exclusive_minimum = number(work, "exclusiveMinimum");
        rules.exclusive_maximum = number(work, "exclusiveMaximum");
    }
    rules.multiple_of = number(work, "multipleOf");
    if (rules.multiple_of != nullptr) {
        rules.divisor = decimal_of(*rules.multiple_of);
        if (compare_numbers(*rules.multiple_of, json(0)) <= 0) {
            refuse(work, "multipleOf", "must be more than 0");
        }
    }
}

void schema_compiler::compile_strings(const task& work, schema_node& node) {
    node.strings = rules_if_any<string_rules>(work, {"minLength", "maxLength", "pattern", "format"});
    if (node.strings == nullptr) {
        return;
    }
    string_rules& rules = *node.strings;
    const json* const format = keyword_of(work, "format");
    if (format != nullptr && (options_.formats || work.active.format_assertion)) {
        rules.format = find_format(as_string(*format).value_or(""), work.active.which);
    }
    rules.length = {count(work, "minLength", 0), count(work, "maxLength", unlimited)};
    if (const json* text = member(work, "pattern", &json::is_string, "must be a string")) {
        rules.pattern_text = *as_string(*text);
        rules.must_match = compile_pattern(work, "pattern", rules.pattern_text);
    }
}

void schema_compiler::compile_arrays(const task& work, schema_node& node) {
    node.arrays = rules_if_any<array_rules>(work, {"minItems", "maxItems", "uniqueItems", "prefixItems", "items", "contains"});
    if (node.arrays == nullptr) {
        return;
    }
    array_rules& rules = *node.arrays;
    rules.size = {count(work, "minItems", 0), count(work, "maxItems", unlimited)};
    rules.contained = {count(work, "minContains", 1), count(work, "maxContains", unlimited)};
    const json* unique = member(work, "uniqueItems", &json::is_boolean, "must be true or false");
    rules.unique = unique != nullptr && *as_bool(*unique);
    // Up to 2019-09, an array in `items` is what `prefixItems` is now, and `additionalItems` is for the rest.
    const json* const items = keyword_of(work, "items");
    const bool tuple = items != nullptr && items->is_array() && work.active.which <= draft::draft2019;
    rules.prefix = children(work, tuple ? "items" : "prefixItems");
    rules.items = child(work, tuple ? "additionalItems" : "items");
    rules.contains = child(work, "contains");
    // Only since 2020-12 has `contains` evaluated the items that fit.
    rules.contains_evaluates = work.active.which == draft::draft2020;
}

void schema_compiler::compile_objects(const task& work, schema_node& node) {
    node.objects = rules_if_any<object_rules>(work, {"minProperties", "maxProperties", "required", "dependentRequired", "properties",
                                                     "patternProperties", "additionalProperties", "propertyNames"});
    if (node.objects == nullptr) {
        return;
    }
    object_rules& rules = *node.objects;
    rules.size = {count(work, "minProperties", 0), count(work, "maxProperties", unlimited)};
    if (const json* required = keyword_of(work, "required")) {
        rules.required = texts(*required, work, "required");
    }
    if (const json* needs = member(work, "dependentRequired", &json::is_object, "must be an object of arrays of strings")) {
        for (const auto& [name, needed] : *needs->get_ptr<const json::object_t*>()) {
            rules.dependencies.push_back({name, texts(needed, work, "dependentRequired")});
        }
    }
    rules.properties = named_children(work, "properties");
    for (const named_node& entry : named_children(work, "patternProperties")) {
        if (auto names = compile_pattern(work, "patternProperties", entry.name)) {
            rules.patterns.push_back({*std::move(names), entry.node});
        }
    }
    rules.additional = child(work, "additionalProperties");
    rules.names = child(work, "propertyNames");
}

void schema_compiler::compile_in_place(const task& work, schema_node& node) {
    node.in_place = rules_if_any<in_place_rules>(
        work, {"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"});
    if (node.in_place == nullptr) {
        return;
    }
    in_place_rules& rules = *node.in_place;
    rules.all_of = children(work, "allOf");
    rules.any_of = children(work, "anyOf");
    rules.one_of = children(work, "oneOf");
    rules.none_of = child(work, "not");
    rules.condition = child(work, "if");
    rules.when_true = child(work, "then");
    rules.when_false = child(work, "else");
    rules.dependent = named_children(work, "dependentSchemas");
    compile_references(work, rules);
}

/// A dependency is an array of names (`dependentRequired`) or a schema (`dependentSchemas`).
void schema_compiler::compile_dependencies(const task& work, schema_node& node) {
    const json* const all = member(work, "dependencies", &json::is_object, "must be an object of schemas and arrays of strings");
    if (all == nullptr) {
        return;
    }
    for (const auto& [name, needed] : *all->get_ptr<const json::object_t*>()) {
        if (needed.is_array()) {
            node.objects = node.objects != nullptr ? std::move(node.objects) : std::make_unique<object_rules>();
            node.objects->dependencies.push_back({name, texts(needed, work, "dependencies")});
        } else {
            node.in_place = node.in_place != nullptr ? std::move(node.in_place) : std::make_unique<in_place_rules>();
            node.in_place->dependent.push_back({name, element(work, "dependencies", name, needed)});
        }
    }
}

void schema_compiler::compile_references(const task& work, in_place_rules& rules) {
    for (const std::string_view keyword : {"$ref", "$dynamicRef", "$recursiveRef"}) {
        const json* text = member(work, keyword, &json::is_string, "must be a string");
        if (text == nullptr) {
            continue;
        }
        const std::string_view reference = *as_string(*text);
        const result<schema_place> place = documents_.find(work.resource, reference);
        if (!place) {
            refuse(work, keyword, place.error().message, place.error().code);
            continue;
        }
        const node_index target = node_for(*place, std::string(reference));
        if (keyword == "$ref") {
            rules.reference = target;
            continue;
        }
        // The reference is dynamic only if its static target has the dynamic anchor. That of `$recursiveAnchor` has an empty name.
        const std::string name = percent_decoded(split_fragment(reference).fragment);
        const auto& anchors = documents_[place->resource].dynamic_anchors;
        const bool dynamic = std::any_of(anchors.begin(), anchors.end(),
                                         [&](const auto& anchor) { return anchor.first == name && anchor.second == place->schema; });
        if (dynamic) {
            rules.dynamic = dynamic_reference{target, anchor_number(name)};
            program_->has_dynamic_references = true;
        } else {
            rules.all_of.push_back(target);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
