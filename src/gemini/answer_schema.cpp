#include "gemini/answer_schema.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/schema_documents.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

// The service refuses large schemas without naming a limit. These are well below what it has refused.
constexpr std::size_t most_answer_nodes = 1'000;
constexpr std::size_t most_answer_levels = 32;
constexpr std::int64_t most_answer_items = 1'000;  // of `minItems` and `maxItems`

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a keyword says nothing about which values are valid, and the service does not know it.
bool is_dropped(std::string_view keyword) {
    constexpr std::array<std::string_view, 9> words = {"$anchor",  "$comment", "$defs",     "default",   "definitions",
                                                       "examples", "readOnly", "writeOnly", "deprecated"};
    return keyword.starts_with("x-") || is_one_of(keyword, words);
}

bool is_label(std::string_view keyword) {
    return keyword == "title" || keyword == "description";
}

bool is_type(const json& value) {
    constexpr std::array<std::string_view, 7> types = {"string", "number", "integer", "boolean", "array", "object", "null"};
    return is_one_of(as_string(value).value_or(""), types);
}

bool is_list_of_strings(const json& value) {
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const json& element) { return element.is_string(); });
}

bool is_choice(const json& value) {
    return value.is_string() || value.is_number();
}

/// Converts schemas until one cannot be converted. After that, `failed` returns true.
class answer_form {
public:
    explicit answer_form(const json& document)
        : document_(document), modern_(string_member(document, "$schema").value_or("2020-12").find("2020-12") != std::string_view::npos) {}

    [[nodiscard]] json convert(const json& schema, std::size_t depth);
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    [[nodiscard]] json convert_members(const json& schema, std::size_t depth);
    [[nodiscard]] json convert_reference(const json& schema, std::size_t depth);
    [[nodiscard]] const json* target(std::string_view reference) const;
    [[nodiscard]] json convert_keyword(std::string_view keyword, const json& value, std::size_t depth);
    [[nodiscard]] json convert_list(const json& schemas, std::size_t depth);
    [[nodiscard]] json convert_map(const json& schemas, std::size_t depth);
    void check(const json& converted);
    void require(bool expressible) noexcept { failed_ = failed_ || !expressible; }

    /// Whether a keyword is one of the whole document.
    [[nodiscard]] bool is_of_document(const json& schema, std::string_view keyword) const {
        return &schema == &document_ && (keyword == "$schema" || keyword == "$id");
    }

    const json& document_;
    std::vector<const json*> open_ = {};  ///< the schemas that are being converted because a reference leads to them
    bool modern_;                         ///< the dialect has `prefixItems`
    std::size_t nodes_ = 0;
    bool failed_ = false;
};

json answer_form::convert(const json& schema, std::size_t depth) {
    require(schema.is_object() && depth <= most_answer_levels && ++nodes_ <= most_answer_nodes);
    if (failed_) {
        return {};
    }
    return schema.contains("$ref") ? convert_reference(schema, depth) : convert_members(schema, depth);
}

/// Converts the target of a reference. Annotations beside the reference replace those of the target.
json answer_form::convert_reference(const json& schema, std::size_t depth) {
    const std::string reference = string_of(schema, "$ref");
    const json* found = target(reference);
    require(found != nullptr && std::find(open_.begin(), open_.end(), found) == open_.end());
    // What restricts values beside a reference holds in addition to it. In one node, the same keyword may mean less.
    require(std::all_of(schema.items().begin(), schema.items().end(), [&](const auto& member) {
        return member.key() == "$ref" || is_label(member.key()) || is_dropped(member.key()) || is_of_document(schema, member.key());
    }));
    if (failed_) {
        return {};
    }
    open_.push_back(found);
    json out = convert(*found, depth);
    open_.pop_back();
    for (const char* label : {"title", "description"}) {
        if (const json* own = find_member(schema, label); own != nullptr && out.is_object()) {
            out[label] = *own;
        }
    }
    return out;
}

/// Returns the schema that a reference such as "#/$defs/name" leads to, or null.
const json* answer_form::target(std::string_view reference) const {
    if (!reference.starts_with("#/")) {
        return nullptr;
    }
    const json* at = &document_;
    const std::string pointer = detail::percent_decoded(reference.substr(1));
    for (std::string_view rest = pointer; !rest.empty() && at != nullptr;) {
        const std::size_t end = std::min(rest.find('/', 1), rest.size());
        at = detail::pointer_child(*at, rest.substr(1, end - 1));
        rest.remove_prefix(end);
    }
    return at;
}

json answer_form::convert_members(const json& schema, std::size_t depth) {
    json out = json::object();
    for (const auto& [keyword, value] : schema.items()) {
        if (is_of_document(schema, keyword) || is_dropped(keyword)) {
            continue;
        }
        if (keyword == "const") {
            require(is_choice(value) && !schema.contains("enum"));
            out["enum"] = json::array({value});
        } else {
            out[keyword] = convert_keyword(keyword, value, depth);
        }
        if (failed_) {
            return {};
        }
    }
    check(out);
    return out;
}

json answer_form::convert_keyword(std::string_view keyword, const json& value, std::size_t depth) {
    if (keyword == "items") {
        return convert(value, depth + 1);
    }
    if (keyword == "prefixItems" || keyword == "anyOf") {
        return convert_list(value, depth);
    }
    if (keyword == "properties") {
        return convert_map(value, depth);
    }
    if (keyword == "additionalProperties") {
        return value.is_boolean() ? value : convert(value, depth + 1);
    }
    if (keyword == "type") {
        require(is_type(value) || (value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), is_type)));
    } else if (keyword == "enum") {
        nodes_ += value.size();
        require(value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), is_choice));
    } else if (keyword == "minItems" || keyword == "maxItems") {
        const std::optional<std::int64_t> count = as_integer(value);
        require(count && *count >= 0 && *count <= most_answer_items);
    } else if (keyword == "minimum" || keyword == "maximum") {
        require(value.is_number());
    } else if (keyword == "required" || keyword == "propertyOrdering") {
        require(is_list_of_strings(value));
    } else {
        require(value.is_string() && (keyword == "format" || is_label(keyword)));
    }
    return value;
}

json answer_form::convert_list(const json& schemas, std::size_t depth) {
    json out = json::array();
    require(schemas.is_array() && !schemas.empty());
    for (std::size_t i = 0; !failed_ && i < schemas.size(); ++i) {
        out.push_back(convert(schemas[i], depth + 1));
    }
    return out;
}

json answer_form::convert_map(const json& schemas, std::size_t depth) {
    json out = json::object();
    require(schemas.is_object() && !schemas.empty());
    for (auto entry = schemas.begin(); !failed_ && entry != schemas.end(); ++entry) {
        out[entry.key()] = convert(*entry, depth + 1);
    }
    return out;
}

/// Requires what the service needs to hold an answer to a node. It refuses or ignores nodes that leave the value open.
void answer_form::check(const json& converted) {
    const auto has = [&](const char* keyword) { return converted.contains(keyword); };
    if (has("anyOf")) {
        require(std::all_of(converted.items().begin(), converted.items().end(),
                            [](const auto& member) { return member.key() == "anyOf" || is_label(member.key()); }));
        return;
    }
    require((has("type") || has("enum")) && (modern_ || !has("prefixItems")));
    const json types = !has("type") ? json::array() : converted["type"].is_array() ? converted["type"] : json::array({converted["type"]});
    const auto allows = [&](const char* type) { return std::find(types.begin(), types.end(), type) != types.end(); };
    require(!allows("array") || has("items") || has("prefixItems"));
    require(!allows("object") || has("properties") || (has("additionalProperties") && converted["additionalProperties"].is_object()));
    for (const json& name : elements_of(converted, "required")) {
        require(has("properties") && find_member(converted["properties"], as_string(name).value_or("")) != nullptr);
    }
}

}  // namespace

std::optional<json> answer_schema(const json& schema) {
    if (!schema.is_object() || nests_deeper_than(schema, max_json_depth)) {
        return std::nullopt;
    }
    answer_form form(schema);
    json out = form.convert(schema, 0);
    return form.failed() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
