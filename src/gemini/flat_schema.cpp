#include "gemini/flat_schema.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/schema_documents.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

constexpr std::size_t most_references = 10'000;  // per schema: their number may double at each level

bool is_annotation(std::string_view keyword) {
    constexpr std::array<std::string_view, 11> words = {"title",    "description", "default",  "examples", "example",    "deprecated",
                                                        "readOnly", "writeOnly",   "$comment", "$defs",    "definitions"};
    return std::find(words.begin(), words.end(), keyword) != words.end();
}

}  // namespace

failure not_expressible(const std::string& path, const std::string& what) {
    return {.code = errc::invalid_argument,
            .message = (path.empty() ? std::string("the root of the schema") : "\"" + path + "\"") + ": " + what,
            .hint = "Change the schema, or declare it in the form `parametersJsonSchema`, which takes all of JSON Schema."};
}

result<void> merge_schemas(json& into, const json& from, const std::string& path) {
    for (auto member = from.begin(); member != from.end(); ++member) {
        const std::string& keyword = member.key();
        if (!into.contains(keyword)) {
            into[keyword] = *member;
        } else if (keyword == "required" && into[keyword].is_array() && member->is_array()) {
            std::copy_if(member->begin(), member->end(), std::back_inserter(into[keyword]), [&](const json& name) {
                return std::find(into[keyword].begin(), into[keyword].end(), name) == into[keyword].end();
            });
        } else if (keyword == "properties" && into[keyword].is_object() && member->is_object()) {
            for (auto property = member->begin(); property != member->end(); ++property) {
                if (!into[keyword].contains(property.key())) {
                    into[keyword][property.key()] = *property;
                } else if (into[keyword][property.key()] != *property) {
                    return not_expressible(path, "the property `" + property.key() + "` has two different schemas");
                }
            }
        } else if (!is_annotation(keyword) && into[keyword] != *member) {
            return not_expressible(path, "`" + keyword + "` has two different values");
        }
    }
    return {};
}

result<const json*> flat_schema::target(std::string_view reference, const std::string& path) {
    if (reference != "#" && !reference.starts_with("#/")) {
        return not_expressible(path,
                               "the reference \"" + std::string(reference) + "\" does not lead to a place in this schema by its path");
    }
    const json* at = &document_;
    const std::string pointer = detail::percent_decoded(reference.substr(1));
    std::string_view rest = pointer;
    while (!rest.empty() && at != nullptr) {
        const std::size_t end = std::min(rest.find('/', 1), rest.size());
        at = detail::pointer_child(*at, rest.substr(1, end - 1));
        rest.remove_prefix(end);
    }
    if (at == nullptr) {
        failure error = not_expressible(path, "the reference \"" + std::string(reference) + "\" leads to nothing");
        error.code = errc::not_found;
        return error;
    }
    return at;
}

result<json> flat_schema::open(const json& schema, const std::string& path, std::size_t depth) {
    if (!schema.is_object()) {
        return not_expressible(path, "a schema that is not an object cannot be expressed");
    }
    if (depth > max_json_depth) {
        return failure{.code = errc::too_large, .message = "\"" + path + "\": the schema nests too deep"};
    }
    json out = schema;
    out.erase("allOf");
    if (const auto reference = string_member(schema, "$ref"); reference) {
        if (++followed_ > most_references) {
            return failure{.code = errc::too_large, .message = "the schema has too many references to be written without them"};
        }
        const std::string name(*reference);
        if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
            return not_expressible(path, "the reference \"" + name + "\" leads back to itself");
        }
        const result<const json*> found = target(name, path);
        if (!found) {
            return found.error();
        }
        open_.push_back(name);
        const result<json> referenced = open(**found, path, depth + 1);
        if (!referenced) {
            return referenced.error();
        }
        out.erase("$ref");
        if (const result<void> done = merge_schemas(out, *referenced, path); !done) {
            return done.error();
        }
    }
    const json::array_t& branches = elements_of(schema, "allOf");
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const std::string where = path + "/allOf/" + std::to_string(i);
        const result<json> branch = open(branches[i], where, depth + 1);
        if (!branch) {
            return branch.error();
        }
        if (const result<void> done = merge_schemas(out, *branch, where); !done) {
            return done.error();
        }
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
