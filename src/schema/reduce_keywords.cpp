#include "schema/left_out.hpp"
#include "schema/number.hpp"
#include "schema/pattern_support.hpp"
#include "schema/schema_reducer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

std::string_view type_name(const json& value) noexcept {
    switch (value.type()) {
        case json::value_t::null: return "null";
        case json::value_t::boolean: return "boolean";
        case json::value_t::string: return "string";
        case json::value_t::array: return "array";
        case json::value_t::object: return "object";
        default: return is_whole(value) ? "integer" : "number";
    }
}

bool has_reference(const json& schema) {
    if (schema.is_object() && schema.contains("$ref")) {
        return true;
    }
    return schema.is_structured() && std::any_of(schema.begin(), schema.end(), has_reference);
}

}  // namespace

void schema_reducer::reduce_keyword(work& at, std::string_view name, const json& value) {
    if (name == "$ref") {
        reduce_reference(at, value);
    } else if (name == "type") {
        reduce_type(at, value);
    } else if (name == "enum" || name == "const") {
        reduce_choices(at, name, value);
    } else if (name == "properties" || name == "patternProperties" || name == "dependentSchemas") {
        reduce_properties(at, name, value);
    } else if (name == "additionalProperties") {
        // Without `patternProperties`, members with such names would be additional.
        const bool all_named = !at.from.contains("patternProperties") || accepts("patternProperties");
        if (accepts(name) && all_named && accepts("properties") && !value.is_boolean()) {
            at.out["additionalProperties"] = child(at, name, {}, value);
        } else if (accepts(name) && all_named && accepts("properties")) {
            at.out["additionalProperties"] = value;
        } else {
            leave_out(at, name, value);
        }
    } else if (name == "propertyNames" && accepts(name)) {
        at.out["propertyNames"] = child(at, name, {}, value);
    } else if (name == "prefixItems" || (name == "items" && !at.from.contains("prefixItems"))) {
        reduce_items(at);
    } else if (name == "contains") {
        reduce_contains(at, value);
    } else if (name == "allOf" || name == "anyOf" || name == "oneOf") {
        reduce_branches(at, name, value);
    } else if (name == "not") {
        keep_exactly(at, name, value);
    } else if (name == "if") {
        reduce_condition(at);
    } else if (name == "items" || name == "minContains" || name == "maxContains" || name == "then" || name == "else") {
        return;  // handled with the first keyword of its group
    } else if ((name == "exclusiveMinimum" || name == "exclusiveMaximum") && !accepts(name)) {
        const std::string_view inclusive = name == "exclusiveMinimum" ? "minimum" : "maximum";
        if (accepts(inclusive)) {
            merge(at, {{std::string(inclusive), value}});
        }
        leave_out(at, name, value);
    } else if (name == "description" || name == "title" || name == "default") {
        if (accepts(name)) {
            at.out[std::string(name)] = value;  // replaces that of a reference
        }
    } else if (accepts(name) && accepts_value(name, value) && !name.starts_with("unevaluated")) {
        merge(at, {{std::string(name), value}});
    } else {
        leave_out(at, name, value);
    }
}

void schema_reducer::reduce_type(work& at, const json& value) {
    if (!accepts("type")) {
        leave_out(at, "type", value);
        return;
    }
    if (!value.is_array() || profile_.type_lists) {
        at.out["type"] = value;
        return;
    }
    if (value.size() == 1) {
        at.out["type"] = value.front();
        return;
    }
    if (!accepts("anyOf") || at.out.contains("anyOf")) {
        leave_out(at, "type", value);
        return;
    }
    json branches = json::array();
    for (const json& type : value) {
        branches.push_back({{"type", type}});
    }
    merge(at, {{"anyOf", std::move(branches)}});
}

void schema_reducer::reduce_choices(work& at, std::string_view name, const json& value) {
    const json choices = name == "const" ? json::array({value}) : value;
    const bool listed =
        choices.is_array() && choices.size() <= profile_.max_choices &&
        std::all_of(choices.begin(), choices.end(), [&](const json& choice) { return has_word(profile_.enum_types, type_name(choice)); });
    if (!listed || !(accepts(name) || accepts("enum"))) {
        leave_out(at, name, value);
    } else if (accepts(name)) {
        merge(at, {{std::string(name), value}});
    } else {
        merge(at, {{"enum", choices}});
    }
}

void schema_reducer::reduce_properties(work& at, std::string_view name, const json& value) {
    if (!accepts(name) || !value.is_object()) {
        leave_out(at, name, value);
        return;
    }
    json reduced = json::object();
    for (const auto& [key, schema] : *value.get_ptr<const json::object_t*>()) {
        reduced[key] = child(at, name, key, schema);
    }
    merge(at, {{std::string(name), std::move(reduced)}});
}

/// `items` is for the elements after `prefixItems`. Without `prefixItems`, it must accept those at the front, too.
void schema_reducer::reduce_items(work& at) {
    const auto prefix = at.from.find("prefixItems");
    const auto items = at.from.find("items");
    json reduced = json::object();
    if (prefix != at.from.end() && prefix->second->is_array()) {
        json front = json::array();
        for (const json& schema : *prefix->second) {
            front.push_back(child(at, "prefixItems", std::to_string(front.size()), schema));
        }
        if (accepts("prefixItems")) {
            reduced["prefixItems"] = std::move(front);
        } else {
            leave_out(at, "prefixItems", *prefix->second);
            const bool bounded = items != at.from.end() && *items->second != true && accepts("items") && accepts("anyOf");
            if (bounded && *items->second != false) {
                front.push_back(child(at, "items", {}, *items->second));
            }
            if (bounded && !front.empty()) {
                reduced["items"] = {{"anyOf", std::move(front)}};
            }
            merge(at, reduced);
            return;
        }
    }
    if (items != at.from.end() && *items->second == false && accepts("maxItems")) {
        merge(at, {{"maxItems", prefix != at.from.end() ? prefix->second->size() : 0}});
    } else if (items != at.from.end() && accepts("items") && !items->second->is_boolean()) {
        reduced["items"] = child(at, "items", {}, *items->second);
    } else if (items != at.from.end()) {
        leave_out(at, "items", *items->second);
    }
    merge(at, reduced);
}

void schema_reducer::reduce_contains(work& at, const json& value) {
    const auto least = at.from.find("minContains");
    const auto most = at.from.find("maxContains");
    const bool keeps_least = least == at.from.end() || accepts("minContains");
    // With fewer than one needed, `contains` alone would demand more.
    if (accepts("contains") && (keeps_least || (least->second->is_number() && compare_numbers(*least->second, 1) >= 0))) {
        at.out["contains"] = child(at, "contains", {}, value);
        if (least != at.from.end() && keeps_least) {
            at.out["minContains"] = *least->second;
        }
        if (most != at.from.end() && accepts("maxContains") && at.out["contains"] == value && !has_reference(value)) {
            at.out["maxContains"] = *most->second;
        } else if (most != at.from.end()) {
            leave_out(at, "maxContains", *most->second);
        }
        return;
    }
    leave_out(at, "contains", value);
    for (const auto& other : {least, most}) {
        if (other != at.from.end()) {
            leave_out(at, other->first, *other->second);
        }
    }
}

void schema_reducer::reduce_branches(work& at, std::string_view name, const json& value) {
    if (!value.is_array()) {
        return;
    }
    const bool in_root = at.path == root_path && profile_.object_root;
    if (name == "allOf" && (in_root || !accepts("allOf"))) {
        for (const json& schema : value) {
            inline_schema(at, documents_.place_of(schema, at.place.resource), value.size() > 1 || at.inlined);
        }
        return;
    }
    // More accepting branches of `oneOf` may overlap.
    const std::string_view as = name == "oneOf" && !accepts("oneOf") ? "anyOf" : name;
    if (!accepts(as)) {
        leave_out(at, name, value);
        return;
    }
    json branches = json::array();
    for (const json& schema : value) {
        branches.push_back(child(at, name, std::to_string(branches.size()), schema));
    }
    const bool unchanged = branches == value && !has_reference(value);
    const std::string_view written = name == "oneOf" && !unchanged ? "anyOf" : as;
    if (!accepts(written) || at.out.contains(written)) {
        leave_out(at, name, value);
        return;
    }
    at.out[std::string(written)] = std::move(branches);
}

void schema_reducer::reduce_condition(work& at) {
    const auto then = at.from.find("then");
    const auto otherwise = at.from.find("else");
    const json& condition = *at.from.find("if")->second;
    keep_exactly(at, "if", condition);
    const bool kept = at.out.contains("if");
    for (const auto& branch : {then, otherwise}) {
        if (branch == at.from.end()) {
            continue;
        }
        if (kept && accepts(branch->first)) {
            at.out[std::string(branch->first)] = child(at, branch->first, {}, *branch->second);
        } else {
            leave_out(at, branch->first, *branch->second);
        }
    }
}

void schema_reducer::keep_exactly(work& at, std::string_view name, const json& value) {
    const std::size_t before = left_out_.size();
    const bool kept = accepts(name) && child(at, name, {}, value) == value && !has_reference(value);
    left_out_.resize(before);
    if (kept) {
        at.out[std::string(name)] = value;
    } else {
        leave_out(at, name, value);
    }
}

void schema_reducer::reduce_reference(work& at, const json& value) {
    const std::string_view reference = as_string(value).value_or("");
    const result<schema_place> target = documents_.find(at.place.resource, reference);
    if (!target) {
        leave_out(at, "$ref", value);
    } else if (profile_.references && !at.inlined && !at.out.contains("$ref")) {
        merge(at, {{"$ref", std::string(definition_prefix) + name_of(*target, reference)}});
    } else {
        inline_schema(at, *target, true);
    }
}

void schema_reducer::inline_schema(work& at, const schema_place& target, bool with_references) {
    if (std::find(open_.begin(), open_.end(), target.schema) != open_.end()) {
        const std::string_view title = string_member(*target.schema, "title").value_or("a value of the kind that it is part of");
        at.words.push_back("must be " + one_line(title, 100));
        left_out_.push_back(at.path + ": the schema is recursive");
        if (const auto type = string_member(*target.schema, "type"); type && accepts("type")) {
            merge(at, {{"type", std::string(*type)}});
        }
        return;
    }
    open_.push_back(target.schema);
    const work inner = flatten(target, at.path, at.depth + 1, with_references);
    open_.pop_back();
    merge(at, inner.out);
    at.words.insert(at.words.end(), inner.words.begin(), inner.words.end());
}

bool schema_reducer::accepts_value(std::string_view name, const json& value) const {
    if (name == "format") {
        return has_word(profile_.formats, as_string(value).value_or(""));
    }
    if (name == "pattern") {
        return accepts_pattern(profile_.patterns, profile_.max_count, as_string(value).value_or("(?"));
    }
    constexpr std::array<std::string_view, 6> counts{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"};
    return std::find(counts.begin(), counts.end(), name) == counts.end() ||
           (value.is_number() && compare_numbers(value, json(profile_.max_count)) <= 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
