#include "schema/meta_schema.hpp"

#include "schema/meta_schema_sources.hpp"

#include <map>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using document_map = std::map<std::string, json, std::less<>>;

json read_source(std::string_view source) {
    const result<json> parsed = parse_json(source);
    PYAICHAT_ASSERT(parsed, "the built-in meta-schemas are JSON");
    return *parsed;
}

/// Adds the meta-schema of a draft with vocabularies, and those of its vocabularies.
void add_vocabularies(document_map& documents, draft which, std::string_view source) {
    constexpr std::string_view meta = "meta/";
    const std::string_view main = meta_schema_of(which);
    const std::string folder(main.substr(0, main.size() - std::string_view("schema").size()));
    const json sources = read_source(source);
    for (const auto& [name, text] : sources.items()) {
        const std::string id = folder + name;
        json& document = documents.emplace(id, text).first->second;
        document["$id"] = id;
        document["$schema"] = std::string(main);
        if (which == draft::draft2019) {
            document["$recursiveAnchor"] = true;
        } else {
            document["$dynamicAnchor"] = "meta";
        }
        document["type"] = {"object", "boolean"};
        json vocabulary = json::object();
        if (name.starts_with(meta)) {
            vocabulary[folder + "vocab/" + name.substr(meta.size())] = true;
        }
        for (const auto& [part, required] : document["$vocabulary"].items()) {
            vocabulary[folder + "vocab/" + part] = required;
        }
        document["$vocabulary"] = std::move(vocabulary);
    }
}

json draft6_of(json draft7) {
    for (const char* keyword : {"$comment", "readOnly", "writeOnly", "contentMediaType", "contentEncoding", "if", "then", "else"}) {
        draft7["properties"].erase(keyword);
    }
    const std::string id = std::string(meta_schema_of(draft::draft6)) + '#';
    draft7["$id"] = id;
    draft7["$schema"] = id;
    draft7["properties"]["enum"] = {{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}};
    return draft7;
}

document_map read_documents() {
    document_map documents;
    add_vocabularies(documents, draft::draft2020, meta_schemas_2020);
    add_vocabularies(documents, draft::draft2019, meta_schemas_2019);
    const json sources = read_source(meta_schemas_until_draft7);
    for (const auto& [uri, document] : sources.items()) {
        documents.emplace(uri, document);
    }
    documents.emplace(meta_schema_of(draft::draft6), draft6_of(*find_member(sources, meta_schema_of(draft::draft7))));
    return documents;
}

}  // namespace

const json* built_in_document(std::string_view uri) {
    // Never destroyed: a detached thread may still validate when the process ends.
    static const document_map& documents = *new document_map(read_documents());
    const std::string_view rest = without_scheme(uri);
    if (rest.size() == uri.size()) {
        return nullptr;
    }
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (const auto found = documents.find(std::string(scheme).append(rest)); found != documents.end()) {
            return &found->second;
        }
    }
    return nullptr;
}

std::string_view vocabulary_name(std::string_view uri) noexcept {
    for (const std::string_view folder : {"https://json-schema.org/draft/2019-09/vocab/", "https://json-schema.org/draft/2020-12/vocab/"}) {
        if (uri.starts_with(folder)) {
            return uri.substr(folder.size());
        }
    }
    return {};
}

const compiled_schema& standard_meta_schema(draft which) {
    // One for each draft, so that a process compiles only those that it uses.
    const auto compiled = [](draft of) -> const compiled_schema& {
        const result<compiled_schema> schema = compile_schema(*built_in_document(meta_schema_of(of)), {.check = false});
        PYAICHAT_ASSERT(schema, "the built-in meta-schema compiles");
        return *new compiled_schema(*schema);
    };
    switch (which) {
        case draft::draft4: {
            static const compiled_schema& draft4 = compiled(draft::draft4);
            return draft4;
        }
        case draft::draft6: {
            static const compiled_schema& draft6 = compiled(draft::draft6);
            return draft6;
        }
        case draft::draft7: {
            static const compiled_schema& draft7 = compiled(draft::draft7);
            return draft7;
        }
        case draft::draft2019: {
            static const compiled_schema& draft2019 = compiled(draft::draft2019);
            return draft2019;
        }
        case draft::draft2020: break;
    }
    static const compiled_schema& draft2020 = compiled(draft::draft2020);
    return draft2020;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
