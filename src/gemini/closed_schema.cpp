#include <pyaichat/gemini/closed_schema.hpp>

#include "gemini/flat_schema.hpp"

#include <pyaichat/schema/decode.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

constexpr std::size_t max_nodes = 10'000;

/// Keywords that restrict values and have no counterpart. Other keywords that are not handled here are annotations.
constexpr std::array<std::string_view, 13> inexpressible = {
    "not",          "multipleOf",        "contains",         "propertyNames", "patternProperties", "if",
    "dependencies", "dependentRequired", "dependentSchemas", "prefixItems",   "additionalItems",   "unevaluatedItems",
    "$dynamicRef"};

std::string below(const std::string& path, std::string_view name) {
    return path + "/" + detail::pointer_token(name);
}

/// `[A-Za-z_][A-Za-z0-9_]{0,63}`
bool is_parameter_name(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && name.size() <= 64 && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool is_null_schema(const json& schema) {
    const json only_null = json::array({nullptr});
    return string_member(schema, "type") == "null" || (schema.contains("const") && schema["const"].is_null()) ||
           (schema.contains("enum") && schema["enum"] == only_null);
}

class closer {
public:
    explicit closer(const json& document) : flat_(document) {}

    result<json> close(const json& schema, const std::string& path, std::size_t depth);

private:
    /// The types that a schema allows.
    struct kinds {
        std::vector<std::string> types = {};  ///< without "null"
        bool nullable = false;
    };

    result<json> close_flat(json flat, const std::string& path, std::size_t depth);
    result<json> close_choice(const json& flat, const char* keyword, const std::string& path, std::size_t depth);
    result<void> check(const json& flat, const std::string& path) const;
    result<kinds> kinds_of(json& flat, const std::string& path) const;
    result<json> close_type(const json& flat, const std::string& type, const std::string& path, std::size_t depth);
    result<void> put_bounds(json& out, const json& flat, bool integer, const std::string& path) const;
    result<void> put_items(json& out, const json& flat, const std::string& path, std::size_t depth);
    result<void> put_properties(json& out, const json& flat, const std::string& path, std::size_t depth);
    result<void> put_count(json& out, const json& flat, const char* keyword, const std::string& path) const;

    flat_schema flat_;
    std::size_t nodes_ = 0;
};

void copy(json& out, const json& flat, const char* keyword) {
    if (const json* value = find_member(flat, keyword)) {
        out[keyword] = *value;
    }
}

result<json> closer::close(const json& schema, const std::string& path, std::size_t depth) {
    if (depth > max_json_depth || ++nodes_ > max_nodes) {
        return failure{.code = errc::too_large, .message = "the schema is too large to be written without references"};
    }
    const std::size_t before = flat_.opened();
    result<json> flat = flat_.open(schema, path);
    if (!flat) {
        return flat;
    }
    result<json> out = close_flat(*std::move(flat), path, depth);
    flat_.close(before);
    return out;
}

result<json> closer::close_flat(json flat, const std::string& path, std::size_t depth) {
    if (const result<void> checked = check(flat, path); !checked) {
        return checked.error();
    }
    for (const char* keyword : {"anyOf", "oneOf"}) {
        if (flat.contains(keyword)) {
            return close_choice(flat, keyword, path, depth);
        }
    }
    result<kinds> allowed = kinds_of(flat, path);
    if (!allowed) {
        return allowed.error();
    }
    json branches = json::array();
    for (const std::string& type : allowed->types) {
        result<json> branch = close_type(flat, type, path, depth);
        if (!branch) {
            return branch;
        }
        branches.push_back(*std::move(branch));
    }
    if (branches.size() == 1) {
        if (allowed->nullable) {
            branches.front()["nullable"] = true;
        }
        return std::move(branches.front());
    }
    if (allowed->nullable) {
        branches.push_back(json::object({{"type", "NULL"}}));
    }
    return branches.size() == 1 ? std::move(branches.front()) : json::object({{"anyOf", std::move(branches)}});
}

/// `anyOf` must be the only keyword, so the other keywords are merged into each branch.
result<json> closer::close_choice(const json& flat, const char* keyword, const std::string& path, std::size_t depth) {
    json beside = flat;
    beside.erase(keyword);
    const json& choices = flat[keyword];
    const auto nulls = std::count_if(choices.begin(), choices.end(), is_null_schema);
    const bool single = choices.size() - static_cast<std::size_t>(nulls) == 1;
    json branches = json::array();
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const std::string where = below(below(path, keyword), std::to_string(i));
        if (is_null_schema(choices[i])) {
            continue;
        }
        const std::size_t before = flat_.opened();
        const result<json> opened = flat_.open(choices[i], where);
        if (!opened) {
            return opened.error();
        }
        // The annotations of the whole win over those of a single branch, but not over those of several.
        json branch = single ? beside : *opened;
        if (const result<void> done = merge_schemas(branch, single ? *opened : beside, where); !done) {
            return done.error();
        }
        result<json> closed = close(branch, where, depth + 1);
        flat_.close(before);
        if (!closed) {
            return closed;
        }
        branches.push_back(*std::move(closed));
    }
    if (single && nulls > 0 && !branches.front().contains("anyOf")) {
        branches.front()["nullable"] = true;
    } else if (nulls > 0) {
        branches.push_back(json::object({{"type", "NULL"}}));
    }
    if (branches.empty()) {
        return not_expressible(path, std::string("`") + keyword + "` has no schema that is not null");
    }
    return branches.size() == 1 ? std::move(branches.front()) : json::object({{"anyOf", std::move(branches)}});
}

result<void> closer::check(const json& flat, const std::string& path) const {
    for (const std::string_view keyword : inexpressible) {
        if (flat.contains(keyword)) {
            return not_expressible(below(path, keyword), "`" + std::string(keyword) + "` cannot be expressed");
        }
    }
    if (bool_member(flat, "uniqueItems").value_or(false)) {
        return not_expressible(below(path, "uniqueItems"), "`uniqueItems` cannot be expressed");
    }
    for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
        if (const json* rest = find_member(flat, keyword); rest != nullptr && rest->is_object() && !rest->empty()) {
            return not_expressible(below(path, keyword), std::string("`") + keyword + "` as a schema cannot be expressed");
        }
    }
    if (flat.contains("anyOf") && flat.contains("oneOf")) {
        return not_expressible(below(path, "oneOf"), "`oneOf` beside `anyOf` cannot be expressed");
    }
    return {};
}

/// The explicit or implied types of a schema. Converts `const` to `enum`, and removes null from `enum`.
result<closer::kinds> closer::kinds_of(json& flat, const std::string& path) const {
    kinds out;
    const json declared = flat.contains("type") ? flat["type"] : json();
    for (const json& type : declared.is_array() ? declared : json::array({declared})) {
        if (type == "null") {
            out.nullable = true;
        } else if (const auto name = as_string(type)) {
            out.types.emplace_back(*name);
        }
    }
    if (flat.contains("const")) {
        flat["enum"] = json::array();
        flat["enum"].push_back(flat["const"]);
    }
    if (flat.contains("enum") && flat["enum"].is_array()) {
        json strings = json::array();
        bool null_listed = false;
        for (const json& value : flat["enum"]) {
            if (value.is_string()) {
                strings.push_back(value);
            } else if (value.is_null()) {
                null_listed = true;
            } else {
                return not_expressible(below(path, flat.contains("const") ? "const" : "enum"),
                                       "only strings can be listed, not " + dump_json(value));
            }
        }
        out.nullable = null_listed && (out.nullable || declared.is_null());
        out.types = strings.empty() ? std::vector<std::string>() : std::vector<std::string>{"string"};
        flat["enum"] = std::move(strings);
    } else if (declared.is_null() && (flat.contains("properties") || flat.contains("required"))) {
        out.types = {"object"};
    } else if (declared.is_null() && flat.contains("items")) {
        out.types = {"array"};
    }
    if (out.types.empty() && !out.nullable) {
        return not_expressible(path, "a schema without `type` cannot be expressed");
    }
    return out;
}

result<json> closer::close_type(const json& flat, const std::string& type, const std::string& path, std::size_t depth) {
    json out = json::object();
    std::string name = type;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    out["type"] = name;
    for (const char* keyword : {"title", "description", "default", "example"}) {
        copy(out, flat, keyword);
    }
    result<void> done;
    if (type == "string") {
        copy(out, flat, "format");
        copy(out, flat, "pattern");
        copy(out, flat, "enum");
        done = put_count(out, flat, "minLength", path);
        done = done ? put_count(out, flat, "maxLength", path) : done;
    } else if (type == "number" || type == "integer") {
        copy(out, flat, "format");
        done = put_bounds(out, flat, type == "integer", path);
    } else if (type == "array") {
        done = put_items(out, flat, path, depth);
    } else if (type == "object") {
        done = put_properties(out, flat, path, depth);
    } else if (type != "boolean") {
        done = not_expressible(below(path, "type"), "\"" + type + "\" is not a type");
    }
    return done ? result<json>(std::move(out)) : done.error();
}

/// The service encodes 64-bit counts as strings.
result<void> closer::put_count(json& out, const json& flat, const char* keyword, const std::string& path) const {
    if (const json* value = find_member(flat, keyword)) {
        const std::optional<std::int64_t> count = as_integer(*value);
        if (!count) {
            return not_expressible(below(path, keyword), std::string("`") + keyword + "` is not an integer that can be expressed");
        }
        out[keyword] = std::to_string(*count);
    }
    return {};
}

result<void> closer::put_bounds(json& out, const json& flat, bool integer, const std::string& path) const {
    copy(out, flat, "minimum");
    copy(out, flat, "maximum");
    struct exclusive {
        const char* keyword;
        const char* inclusive;
        int step;
    };
    for (const exclusive& bound : {exclusive{"exclusiveMinimum", "minimum", 1}, exclusive{"exclusiveMaximum", "maximum", -1}}) {
        const json* value = find_member(flat, bound.keyword);
        if (value == nullptr) {
            continue;
        }
        constexpr std::int64_t exact = std::int64_t{1} << 53;
        const std::optional<std::int64_t> limit = as_integer(*value);
        if (!integer || !limit || *limit > exact || *limit < -exact) {
            return not_expressible(below(path, bound.keyword), std::string("`") + bound.keyword + "` cannot be expressed");
        }
        const std::int64_t inclusive = *limit + bound.step;
        const std::optional<double> other = find_member(flat, bound.inclusive) != nullptr ? as_number(flat[bound.inclusive]) : std::nullopt;
        if (!other || (*other - static_cast<double>(inclusive)) * bound.step < 0) {
            out[bound.inclusive] = inclusive;
        }
    }
    return {};
}

result<void> closer::put_items(json& out, const json& flat, const std::string& path, std::size_t depth) {
    const json* items = find_member(flat, "items");
    if (items == nullptr) {
        return not_expressible(path, "an array without `items` cannot be expressed");
    }
    result<json> closed = close(*items, below(path, "items"), depth + 1);
    if (!closed) {
        return closed.error();
    }
    out["items"] = *std::move(closed);
    const result<void> done = put_count(out, flat, "minItems", path);
    return done ? put_count(out, flat, "maxItems", path) : done;
}

result<void> closer::put_properties(json& out, const json& flat, const std::string& path, std::size_t depth) {
    const json* properties = find_member(flat, "properties");
    if (properties != nullptr && properties->is_object()) {
        for (auto member = properties->begin(); member != properties->end(); ++member) {
            const std::string where = below(below(path, "properties"), member.key());
            if (!is_parameter_name(member.key())) {
                return not_expressible(where, "a property name may have only letters, digits and `_`, at most 64, and no digit first");
            }
            result<json> closed = close(*member, where, depth + 1);
            if (!closed) {
                return closed.error();
            }
            out["properties"][member.key()] = *std::move(closed);
        }
    }
    if (const json* required = find_member(flat, "required"); required != nullptr && required->is_array() && !required->empty()) {
        for (const json& name : *required) {
            if (properties == nullptr || find_member(*properties, as_string(name).value_or("")) == nullptr) {
                return not_expressible(below(path, "required"), dump_json(name) + " is required but missing in `properties`");
            }
        }
        out["required"] = *required;
    }
    copy(out, flat, "propertyOrdering");
    const result<void> done = put_count(out, flat, "minProperties", path);
    return done ? put_count(out, flat, "maxProperties", path) : done;
}

}  // namespace

result<json> closed_schema(const json& schema) {
    if (nests_deeper_than(schema, max_json_depth)) {
        return failure{.code = errc::too_large, .message = "the schema nests too deep"};
    }
    result<json> out = closer(schema).close(schema, "", 0);
    if (out && string_member(*out, "type") != "OBJECT") {
        return not_expressible("", "the parameters of a function must be an object");
    }
    if (out && !out->contains("properties")) {
        return json();
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
