#include "schema/schema_reducer.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include "schema/left_out.hpp"
#include "schema/merge_schemas.hpp"
#include "schema/number.hpp"
#include "schema/pattern_support.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view root_path = "#";
constexpr std::string_view definition_prefix = "#/$defs/";
constexpr std::size_t deepest = 64;  // of the recursion here

bool has_word(std::string_view words, std::string_view word) noexcept {
    for (std::size_t at = words.find(word); !word.empty() && at != words.npos; at = words.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) {
            return true;
        }
    }
    return words == "*";
}

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

bool allows_type(const json& schema, std::string_view type) {
    const json* types = find_member(schema, "type");
    return types != nullptr && (*types == type || (types->is_array() && std::find(types->begin(), types->end(), type) != types->end()));
}

}  // namespace

schema_reducer::schema_reducer(const schema_profile& profile) : profile_(profile), documents_(options_, storage_) {
    options_.check = false;
}

reduced_schema schema_reducer::run(const json& schema) {
    json root = json::object();
    if (nests_deeper_than(schema, max_json_depth)) {
        left_out_.emplace_back("#: the schema nests too deep");
    } else if (const result<schema_place> place = documents_.add(schema, "", options_.dialect); !place) {
        left_out_.push_back("#: " + place.error().message);
    } else {
        // The root must have keywords of its own instead of a reference.
        work at = flatten(*place, std::string(root_path), 0, true);
        root = finish(std::move(at));
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const auto [target, name] = waiting_[i];
            root["$defs"][name] = reduce(target, std::string(definition_prefix) + name, 1);
        }
    }
    meet_root(root);
    return {std::move(root), std::move(left_out_)};
}

void schema_reducer::meet_root(json& root) {
    if (!profile_.object_root) {
        return;
    }
    root = root.is_object() ? std::move(root) : json::object();
    std::string words;
    for (const char* name : {"anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}) {
        if (const json* value = find_member(root, name)) {
            const std::string part = in_words(name, *value);
            words += (words.empty() ? "" : "; ") + part;
            left_out_.push_back(std::string(root_path) + ": " + part);
            root.erase(name);
        }
    }
    if (!words.empty()) {
        add_to_description(root, words);
    }
    root["type"] = "object";
    if (!root.contains("properties") && accepts("properties")) {
        root["properties"] = json::object();
    }
}

json schema_reducer::reduce(const schema_place& place, std::string path, std::size_t depth) {
    return finish(flatten(place, std::move(path), depth));
}

json schema_reducer::finish(work done) const {
    if (profile_.items_needed && allows_type(done.out, "array") && !done.out.contains("items") && !done.out.contains("prefixItems")) {
        done.out["items"] = json::object();
    }
    std::string words;
    for (auto part = done.words.begin(); part != done.words.end(); ++part) {
        if (std::find(done.words.begin(), part, *part) != part) {
            continue;
        }
        words += (words.empty() ? "" : "; ") + *part;
    }
    if (!words.empty() && accepts("description")) {
        add_to_description(done.out, words);
    }
    return std::move(done.out);
}

schema_reducer::work schema_reducer::flatten(const schema_place& place, std::string path, std::size_t depth, bool inlined) {
    work at{.place = place, .path = std::move(path), .depth = depth, .inlined = inlined};
    if (depth > std::min(profile_.max_depth, deepest) || ++schemas_ > profile_.max_schemas) {
        at.words.push_back("must fit " + one_line(dump_json(*place.schema), 300));
        left_out_.push_back(at.path + ": the schema is too large");
        return at;
    }
    if (*place.schema == false) {
        at.words.emplace_back("must not be there");
        left_out_.push_back(at.path + ": must not be there");
        return at;
    }
    at.from = members_of(place);
    for (const auto& [name, value] : at.from) {
        reduce_keyword(at, name, *value);
    }
    return at;
}

/// Keywords of older drafts get the names and the meaning that they have in 2020-12. `$defs` are reduced only if something refers to them.
schema_reducer::members schema_reducer::members_of(const schema_place& place) {
    members found;
    const draft which = documents_[place.resource].active.which;
    if (!place.schema->is_object()) {
        return found;
    }
    for (const auto& [name, value] : *place.schema->get_ptr<const json::object_t*>()) {
        const bool annotation = name == "description" || name == "title";
        const json* used = annotation ? &value : keyword_value(*place.schema, name, which);
        if (used != nullptr && name != "$defs" && name != "definitions") {
            found.emplace(name, used);
        }
    }
    if (which <= draft::draft2019) {
        const auto items = found.find("items");
        const auto rest = found.find("additionalItems");
        const bool tuple = items != found.end() && items->second->is_array();
        const json* const after = tuple && rest != found.end() ? rest->second : nullptr;
        if (tuple) {
            found["prefixItems"] = items->second;
            found.erase("items");
        }
        if (after != nullptr) {
            found["items"] = after;
        }
        found.erase("additionalItems");
    }
    if (which == draft::draft4) {
        for (const auto& [exclusive, inclusive] : {std::pair("exclusiveMinimum", "minimum"), std::pair("exclusiveMaximum", "maximum")}) {
            const auto flag = found.find(exclusive);
            if (flag == found.end()) {
                continue;
            }
            const auto bound = found.find(inclusive);
            if (*flag->second == true && bound != found.end()) {
                flag->second = bound->second;
                found.erase(bound);
            } else {
                found.erase(flag);
            }
        }
    }
    return found;
}

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

json schema_reducer::child(const work& at, std::string_view name, std::string_view token, const json& schema) {
    std::string path = at.path + '/' + pointer_token(name);
    if (token.data() != nullptr) {
        path += '/' + pointer_token(token);
    }
    return reduce(documents_.place_of(schema, at.place.resource), std::move(path), at.depth + 1);
}

bool schema_reducer::accepts(std::string_view keyword) const noexcept {
    return has_word(profile_.keywords, keyword);
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

/// The definition of a target. Its name is the last part of the reference.
std::string schema_reducer::name_of(const schema_place& target, std::string_view reference) {
    const auto [entry, inserted] = definitions_.emplace(target.schema, "");
    if (inserted) {
        std::string name(reference.substr(std::min(reference.find_last_of("/#") + 1, reference.size())));
        std::replace_if(name.begin(), name.end(), [](char c) { return !is_letter(c) && !is_digit(c) && c != '_'; }, '_');
        name = name.empty() ? "root" : name;
        std::string unique = name;
        for (int number = 2; !names_.insert(unique).second; ++number) {
            unique = name + '_' + std::to_string(number);
        }
        entry->second = unique;
        waiting_.emplace_back(target, unique);
    }
    return entry->second;
}

void schema_reducer::merge(work& at, const json& keywords) {
    for (const auto& [name, value] : merge_into(at.out, keywords)) {
        leave_out(at, name, value);
    }
}

void schema_reducer::leave_out(work& at, std::string_view name, const json& value) {
    const std::string words = in_words(name, value);
    if (!words.empty()) {
        at.words.push_back(words);
        left_out_.push_back(at.path + ": " + words);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
