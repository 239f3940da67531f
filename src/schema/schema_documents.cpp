#include "schema/schema_documents.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/complaint.hpp"
#include "schema/meta_schema.hpp"
#include "schema/uri.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

failure make_failure(errc code, std::string message, std::string hint) {
    return {.code = code, .message = std::move(message), .hint = std::move(hint)};
}

/// The keywords of draft 2020-12 whose value is a schema, and those whose value is an array or an object of schemas. `definitions` is the
/// old name of `$defs`.
constexpr std::array<std::string_view, 11> schema_keywords{
    "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties"};
constexpr std::array<std::string_view, 9> schemas_keywords{
    "allOf", "anyOf", "oneOf", "prefixItems", "$defs", "definitions", "dependentSchemas", "patternProperties", "properties"};

/// Calls `visit` with each schema directly inside `schema`.
template <class Visit>
void for_each_subschema(const json& schema, Visit visit) {
    for (const std::string_view keyword : schema_keywords) {
        if (const json* inner = find_member(schema, keyword)) {
            visit(*inner);
        }
    }
    for (const std::string_view keyword : schemas_keywords) {
        const json* schemas = find_member(schema, keyword);
        if (schemas != nullptr && schemas->is_structured()) {
            std::for_each(schemas->begin(), schemas->end(), visit);
        }
    }
}

/// Decodes `~1` and `~0` of a JSON Pointer.
std::string unescaped(std::string_view token) {
    std::string plain;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
            plain += token[++i] == '0' ? '~' : '/';
        } else {
            plain += token[i];
        }
    }
    return plain;
}

bool is_schema(const json& value) noexcept {
    return value.is_object() || value.is_boolean();
}

}  // namespace

const json* pointer_child(const json& parent, std::string_view token) {
    if (parent.is_object()) {
        return find_member(parent, unescaped(token));
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool number = error == std::errc() && end == token.data() + token.size() && (token == "0" || !token.starts_with('0'));
    return parent.is_array() && number && index < parent.size() ? &parent[index] : nullptr;
}

result<schema_place> schema_documents::add(const json& document, std::string uri) {
    const std::string_view named = split_fragment(string_member(document, "$schema").value_or(standard_dialect)).resource;
    const result<dialect> active = dialect_named(named);
    if (!active) {
        return active.error();
    }
    if (options_.check && built_in_document(uri) != &document) {
        if (result<void> checked = check(document, uri, named); !checked) {
            return checked.error();
        }
    }
    const auto index = static_cast<std::uint32_t>(resources_.size());
    resources_.push_back({.uri = uri, .root = &document, .active = *active});
    by_uri_.emplace(std::move(uri), index);
    if (result<void> scanned = scan(document, index); !scanned) {
        return scanned.error();
    }
    return place_of(document, index);
}

result<void> schema_documents::check(const json& document, std::string_view uri, std::string_view meta_schema) {
    std::vector<schema_error> errors;
    if (meta_schema == standard_dialect) {
        errors = validate(standard_meta_schema(), document);
    } else {
        schema_options options = options_;
        options.check = false;
        options.base_uri = meta_schema;
        const json* meta = document_at(meta_schema);
        const result<compiled_schema> compiled = compile_schema(*meta, options);
        if (!compiled) {
            return compiled.error();
        }
        errors = validate(*compiled, document);
    }
    if (errors.empty()) {
        return {};
    }
    std::string text;
    for (const schema_error& error : errors) {
        text += (text.empty() ? "" : "; ") + std::string(uri) + '#' + error.path + ": " + error.message;
    }
    return make_failure(errc::invalid_argument, "the schema is not valid: " + text, "Fix the schema: " + text + '.');
}

const json* schema_documents::document_at(std::string_view uri) const {
    if (const auto document = options_.documents.find(uri); document != options_.documents.end()) {
        return &document->second;
    }
    return built_in_document(uri);
}

result<dialect> schema_documents::dialect_named(std::string_view meta_schema) const {
    if (meta_schema == standard_dialect) {
        return dialect{};
    }
    const json* meta = document_at(meta_schema);
    if (meta == nullptr) {
        return make_failure(errc::invalid_argument, "the schema's \"$schema\" is " + in_quotes(meta_schema) + ", which is not known",
                            "Use draft 2020-12 and omit \"$schema\", or add the meta-schema to the documents.");
    }
    const json* vocabularies = find_member(*meta, "$vocabulary");
    if (vocabularies == nullptr || !vocabularies->is_object()) {
        return dialect{};
    }
    dialect active{.applicator = false, .unevaluated = false, .validation = false, .format_assertion = false};
    const std::map<std::string_view, bool*> switches{{"applicator", &active.applicator},
                                                     {"unevaluated", &active.unevaluated},
                                                     {"validation", &active.validation},
                                                     {"format-assertion", &active.format_assertion}};
    constexpr std::array<std::string_view, 4> annotations{"core", "meta-data", "format-annotation", "content"};
    for (auto vocabulary = vocabularies->begin(); vocabulary != vocabularies->end(); ++vocabulary) {
        const std::string_view uri = vocabulary.key();
        const std::string_view name = uri.starts_with(vocabulary_prefix) ? uri.substr(vocabulary_prefix.size()) : "";
        if (const auto found = switches.find(name); found != switches.end()) {
            *found->second = true;
        } else if (std::find(annotations.begin(), annotations.end(), name) == annotations.end() &&
                   as_bool(vocabulary.value()).value_or(false)) {
            return make_failure(errc::invalid_argument,
                                "the meta-schema " + in_quotes(meta_schema) + " requires the vocabulary " + in_quotes(uri),
                                "Use draft 2020-12: that vocabulary is not known.");
        }
    }
    return active;
}

result<void> schema_documents::scan(const json& schema, std::uint32_t parent) {
    std::vector<schema_place> open{{&schema, parent}};
    while (!open.empty()) {
        const schema_place next = open.back();
        open.pop_back();
        result<std::uint32_t> owner = identify(*next.schema, next.resource);
        if (!owner) {
            return owner.error();
        }
        places_.emplace(next.schema, *owner);
        for_each_subschema(*next.schema, [&](const json& inner) {
            if (is_schema(inner) && !places_.contains(&inner)) {
                open.push_back({&inner, *owner});
            }
        });
    }
    return {};
}

result<std::uint32_t> schema_documents::identify(const json& schema, std::uint32_t parent) {
    std::uint32_t owner = parent;
    if (const auto id = string_member(schema, "$id")) {
        std::string uri = resolve_uri(resources_[parent].uri, split_fragment(*id).resource);
        dialect active = resources_[parent].active;
        if (const auto named = string_member(schema, "$schema")) {
            const result<dialect> declared = dialect_named(split_fragment(*named).resource);
            if (!declared) {
                return declared.error();
            }
            active = *declared;
        }
        if (resources_[parent].root == &schema) {
            resources_[parent].uri = uri;
        } else {
            owner = static_cast<std::uint32_t>(resources_.size());
            resources_.push_back({.uri = uri, .root = &schema, .active = active});
        }
        const auto [existing, inserted] = by_uri_.emplace(std::move(uri), owner);
        if (!inserted && existing->second != owner) {
            return make_failure(errc::invalid_argument, "two schemas have the \"$id\" " + in_quotes(existing->first),
                                "Give each schema a different \"$id\".");
        }
    }
    resource& entry = resources_[owner];
    for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
        const auto name = string_member(schema, keyword);
        if (!name) {
            continue;
        }
        const auto [existing, inserted] = entry.anchors.emplace(*name, &schema);
        if (!inserted && existing->second != &schema) {
            return make_failure(errc::invalid_argument, "two schemas have the anchor " + in_quotes(*name),
                                "Give each schema a different anchor.");
        }
        if (keyword == "$dynamicAnchor") {
            entry.dynamic_anchors.emplace_back(*name, &schema);
        }
    }
    return owner;
}

schema_place schema_documents::place_of(const json& schema, std::uint32_t parent) const {
    const auto existing = places_.find(&schema);
    return {&schema, existing != places_.end() ? existing->second : parent};
}

result<schema_place> schema_documents::load(std::string_view uri) {
    if (const auto existing = by_uri_.find(uri); existing != by_uri_.end()) {
        return schema_place{resources_[existing->second].root, existing->second};
    }
    const json* document = document_at(uri);
    if (document == nullptr) {
        return make_failure(errc::not_found, "there is no schema at " + in_quotes(uri),
                            "Refer to the schema itself, or add the document to the options.");
    }
    if (document != built_in_document(uri)) {
        if (nests_deeper_than(*document, max_json_depth)) {
            return make_failure(errc::too_large, "the document " + in_quotes(uri) + " is nested too deep", "Use a flatter document.");
        }
        document = &storage_.emplace_back(*document);
    }
    return add(*document, std::string(uri));
}

result<schema_place> schema_documents::walk(std::uint32_t base, std::string_view pointer, std::string_view reference) {
    schema_place at{resources_[base].root, base};
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t slash = pointer.find('/');
        const json* child = pointer_child(*at.schema, pointer.substr(0, slash));
        if (child == nullptr) {
            return make_failure(errc::not_found, "there is nothing at " + in_quotes(reference),
                                "Refer to a schema that exists, such as one under \"$defs\".");
        }
        at = place_of(*child, at.resource);
        pointer = slash != pointer.npos ? pointer.substr(slash) : "";
    }
    if (!is_schema(*at.schema)) {
        return make_failure(errc::not_found, "the value at " + in_quotes(reference) + " is not a schema", "Refer to an object or boolean.");
    }
    // Values of unknown keywords have not been scanned yet.
    if (!places_.contains(at.schema)) {
        if (result<void> scanned = scan(*at.schema, at.resource); !scanned) {
            return scanned.error();
        }
        at = place_of(*at.schema, at.resource);
    }
    return at;
}

result<schema_place> schema_documents::find(std::uint32_t base, std::string_view reference) {
    const split_reference split = split_fragment(reference);
    if (!split.resource.empty()) {
        const result<schema_place> target = load(resolve_uri(resources_[base].uri, split.resource));
        if (!target) {
            return target.error();
        }
        base = target->resource;
    }
    const std::string fragment = percent_decoded(split.fragment);
    if (fragment.empty() || fragment.starts_with('/')) {
        return walk(base, fragment, reference);
    }
    const auto anchor = resources_[base].anchors.find(fragment);
    if (anchor == resources_[base].anchors.end()) {
        return make_failure(errc::not_found, "there is no anchor " + in_quotes(fragment) + " at " + in_quotes(reference),
                            "Refer to an anchor that exists.");
    }
    return place_of(*anchor->second, base);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
