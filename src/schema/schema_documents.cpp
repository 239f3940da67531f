#include "schema/schema_documents.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/complaint.hpp"
#include "schema/meta_schema.hpp"
#include "schema/uri.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

failure make_failure(errc code, std::string message, std::string hint) {
    return {.code = code, .message = std::move(message), .hint = std::move(hint)};
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

result<schema_place> schema_documents::add(const json& document, std::string uri, std::string_view meta_schema) {
    const result<dialect> active = dialect_named(string_member(document, "$schema").value_or(meta_schema));
    if (!active) {
        return active.error();
    }
    const auto index = static_cast<std::uint32_t>(resources_.size());
    resources_.push_back({.uri = uri, .root = &document, .active = *active});
    by_uri_.emplace(uri, index);
    if (result<void> scanned = scan(document, index); !scanned) {
        return scanned.error();
    }
    if (options_.check && built_in_document(uri) != &document) {
        unchecked_.push_back({&document, uri, active->meta_schema});
    }
    for (const unchecked& next : std::exchange(unchecked_, {})) {
        const result<void> checked = options_.check ? check(*next.schema, next.uri, next.meta_schema) : result<void>();
        if (!checked) {
            return checked.error();
        }
    }
    return place_of(document, index);
}

result<void> schema_documents::check(const json& document, std::string_view uri, std::string_view meta_schema) const {
    std::vector<schema_error> errors;
    const json plain = embedded_.empty() ? json() : without_embedded(document, document);
    const json& checked = embedded_.empty() ? document : plain;
    if (const standard_dialect* standard = find_standard_dialect(meta_schema)) {
        errors = validate(standard_meta_schema(standard->which), checked);
    } else {
        schema_options options = options_;
        options.check = false;
        options.base_uri = meta_schema;
        const json* meta = document_at(meta_schema);
        const result<compiled_schema> compiled = compile_schema(*meta, options);
        if (!compiled) {
            return compiled.error();
        }
        errors = validate(*compiled, checked);
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

/// Returns a copy with `true` for each schema of another dialect inside `root`.
json schema_documents::without_embedded(const json& value, const json& root) const {
    if (&value != &root && embedded_.contains(&value)) {
        return true;
    }
    if (const auto* members = value.get_ptr<const json::object_t*>()) {
        json copy = json::object();
        for (const auto& [name, member] : *members) {
            copy[name] = without_embedded(member, root);
        }
        return copy;
    }
    if (const auto* elements = value.get_ptr<const json::array_t*>()) {
        json copy = json::array();
        for (const json& element : *elements) {
            copy.push_back(without_embedded(element, root));
        }
        return copy;
    }
    return value;
}

const json* schema_documents::document_at(std::string_view uri) const {
    if (const auto document = options_.documents.find(uri); document != options_.documents.end()) {
        return &document->second;
    }
    return built_in_document(uri);
}

result<dialect> schema_documents::dialect_named(std::string_view meta_schema) {
    const std::string_view uri = split_fragment(meta_schema).resource;
    if (const standard_dialect* standard = find_standard_dialect(uri)) {
        return dialect{.which = standard->which, .meta_schema = standard->uri};
    }
    if (const auto document = options_.documents.find(uri); document != options_.documents.end()) {
        return dialect_of(document->first, document->second);
    }
    if (options_.strict_dialect) {
        return make_failure(errc::invalid_argument, "the schema's \"$schema\" is " + in_quotes(uri) + ", which is not known",
                            "Use draft 2020-12 and omit \"$schema\", or add the meta-schema to the documents.");
    }
    std::string remark = "the dialect " + in_quotes(uri) + " is not known: the schema is read as draft 2020-12";
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) {
        remarks_.push_back(std::move(remark));
    }
    return dialect{.meta_schema = meta_schema_of(draft::draft2020)};
}

/// The draft of a meta-schema is that of its own `$schema`.
result<dialect> schema_documents::dialect_of(std::string_view meta_schema, const json& meta) {
    const standard_dialect* const standard = find_standard_dialect(string_member(meta, "$schema").value_or(""));
    dialect active{.which = standard != nullptr ? standard->which : draft::draft2020, .meta_schema = meta_schema};
    const json* vocabularies = keyword_value(meta, "$vocabulary", active.which);
    if (vocabularies == nullptr || !vocabularies->is_object()) {
        return active;
    }
    active.applicator = active.unevaluated = active.validation = false;
    constexpr std::array<std::string_view, 5> annotations{"core", "meta-data", "format", "format-annotation", "content"};
    for (auto vocabulary = vocabularies->begin(); vocabulary != vocabularies->end(); ++vocabulary) {
        const std::string_view uri = vocabulary.key();
        const std::string_view name = vocabulary_name(uri);
        const bool required = as_bool(vocabulary.value()).value_or(false);
        if (name == "applicator") {
            active.applicator = true;
            active.unevaluated = active.unevaluated || active.which == draft::draft2019;
        } else if (name == "unevaluated") {
            active.unevaluated = true;
        } else if (name == "validation") {
            active.validation = true;
        } else if (name == "format-assertion" || (name == "format" && required)) {
            active.format_assertion = true;
        } else if (std::find(annotations.begin(), annotations.end(), name) == annotations.end() && required) {
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
        for_each_subschema(*next.schema, resources_[*owner].active.which, [&](const json& inner) {
            if (is_schema(inner) && !places_.contains(&inner)) {
                open.push_back({&inner, *owner});
            }
        });
    }
    return {};
}

result<std::uint32_t> schema_documents::identify(const json& schema, std::uint32_t parent) {
    dialect active = resources_[parent].active;
    const bool is_root = resources_[parent].root == &schema;
    const auto declared = string_member(schema, "$schema");
    if (!is_root && declared && (schema.contains("$id") || schema.contains("id"))) {
        const result<dialect> named = dialect_named(*declared);
        if (!named) {
            return named.error();
        }
        active = *named;
    }
    const json* const id = keyword_value(schema, active.which == draft::draft4 ? "id" : "$id", active.which);
    const split_reference parts = split_fragment(id != nullptr ? as_string(*id).value_or("") : "");
    std::uint32_t owner = parent;
    if (!parts.resource.empty()) {
        std::string uri = resolve_uri(resources_[parent].uri, parts.resource);
        if (is_root) {
            resources_[parent].uri = uri;
        } else {
            owner = static_cast<std::uint32_t>(resources_.size());
            if (active.meta_schema != resources_[parent].active.meta_schema) {
                embedded_.insert(&schema);
                unchecked_.push_back({&schema, uri, active.meta_schema});
            }
            resources_.push_back({.uri = uri, .root = &schema, .active = active});
        }
        const auto [existing, inserted] = by_uri_.emplace(std::move(uri), owner);
        // Many older schemas repeat an `$id` that nothing refers to; the first counts.
        if (!inserted && existing->second != owner && active.which >= draft::draft2019) {
            return make_failure(errc::invalid_argument, "two schemas have the \"$id\" " + in_quotes(existing->first),
                                "Give each schema a different \"$id\".");
        }
    }
    if (result<void> named = name(schema, owner, parts.fragment); !named) {
        return named.error();
    }
    return owner;
}

/// Up to draft-07, the fragment of an `$id` is what later drafts call an anchor.
result<void> schema_documents::name(const json& schema, std::uint32_t owner, std::string_view id_fragment) {
    const draft which = resources_[owner].active.which;
    if (which <= draft::draft7 && !id_fragment.empty() && !id_fragment.starts_with('/')) {
        return add_anchor(owner, id_fragment, schema);
    }
    for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
        const json* const anchor = keyword_value(schema, keyword, which);
        const auto text = anchor != nullptr ? as_string(*anchor) : std::nullopt;
        if (!text) {
            continue;
        }
        if (result<void> added = add_anchor(owner, *text, schema); !added) {
            return added;
        }
        if (keyword == "$dynamicAnchor") {
            resources_[owner].dynamic_anchors.emplace_back(*text, &schema);
        }
    }
    const json* const recursive = keyword_value(schema, "$recursiveAnchor", which);
    if (recursive != nullptr && *recursive == true && resources_[owner].root == &schema) {
        resources_[owner].dynamic_anchors.emplace_back("", &schema);
    }
    return {};
}

result<void> schema_documents::add_anchor(std::uint32_t owner, std::string_view anchor, const json& schema) {
    const auto [existing, inserted] = resources_[owner].anchors.emplace(anchor, &schema);
    if (!inserted && existing->second != &schema) {
        return make_failure(errc::invalid_argument, "two schemas have the anchor " + in_quotes(anchor),
                            "Give each schema a different anchor.");
    }
    return {};
}

schema_place schema_documents::place_of(const json& schema, std::uint32_t parent) const {
    const auto existing = places_.find(&schema);
    return {&schema, existing != places_.end() ? existing->second : parent};
}

result<schema_place> schema_documents::load(std::string uri, std::string_view meta_schema) {
    if (const json* document = built_in_document(uri); document != nullptr && !options_.documents.contains(uri)) {
        // Known by both http and https, but only once.
        uri = split_fragment(string_member(*document, document->contains("id") ? "id" : "$id").value_or(uri)).resource;
    }
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
    return add(*document, std::move(uri), meta_schema);
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
        const result<schema_place> target = load(resolve_uri(resources_[base].uri, split.resource), resources_[base].active.meta_schema);
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
