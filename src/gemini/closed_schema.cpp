#include <pyaichat/gemini/closed_schema.hpp>

#include "gemini/flat_schema.hpp"
#include "gemini/wire.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
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
    return !name.empty() && name.size() <= 64 && !detail::is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '_'; });
}

bool is_null_schema(const json& schema) {
    const json* constant = find_member(schema, "const");
    const json* choices = find_member(schema, "enum");
    return string_member(schema, "type") == "null" || (constant != nullptr && constant->is_null()) ||
           (choices != nullptr && *choices == json::array({nullptr}));
}

void copy(json& out, const json& flat, std::initializer_list<const char*> keywords) {
    for (const char* keyword : keywords) {
        if (const json* value = find_member(flat, keyword)) {
            out[keyword] = *value;
        }
    }
}

/// Returns the only branch, or `anyOf` with all branches.
json any_of(json branches) {
    return branches.size() == 1 ? std::move(branches.front()) : json::object({{"anyOf", std::move(branches)}});
}

/// Closes schemas until the first failure. After that, all schemas become null.
class closer {
public:
    explicit closer(const json& document) : flat_(document) {}

    [[nodiscard]] json close(const json& schema, const std::string& path, std::size_t depth);
    [[nodiscard]] const std::optional<failure>& failed() const noexcept { return failed_; }

private:
    /// The types that a schema allows.
    struct kinds {
        std::vector<std::string> types = {};  ///< without "null"
        bool nullable = false;
    };

    json close_flat(json flat, const std::string& path, std::size_t depth);
    json close_choice(const json& flat, const char* keyword, const std::string& path, std::size_t depth);
    void check(const json& flat, const std::string& path);
    kinds kinds_of(json& flat, const std::string& path);
    json close_type(const json& flat, const std::string& type, const std::string& path, std::size_t depth);
    void put_bounds(json& out, const json& flat, bool integer, const std::string& path);
    void put_items(json& out, const json& flat, const std::string& path, std::size_t depth);
    void put_properties(json& out, const json& flat, const std::string& path, std::size_t depth);
    void put_counts(json& out, const json& flat, std::initializer_list<const char*> keywords, const std::string& path);
    json refuse(failure why);

    flat_schema flat_;
    std::size_t nodes_ = 0;
    std::optional<failure> failed_ = {};
};

/// Returns null.
json closer::refuse(failure why) {
    if (!failed_) {
        failed_ = std::move(why);
    }
    return {};
}

json closer::close(const json& schema, const std::string& path, std::size_t depth) {
    if (failed_ || depth > max_json_depth || ++nodes_ > max_nodes) {
        return refuse({.code = errc::too_large, .message = "the schema is too large to be written without references"});
    }
    const std::size_t before = flat_.opened();
    result<json> flat = flat_.open(schema, path);
    json out = flat ? close_flat(*std::move(flat), path, depth) : refuse(flat.error());
    flat_.close(before);
    return out;
}

json closer::close_flat(json flat, const std::string& path, std::size_t depth) {
    check(flat, path);
    for (const char* keyword : {"anyOf", "oneOf"}) {
        if (flat.contains(keyword)) {
            return close_choice(flat, keyword, path, depth);
        }
    }
    const kinds allowed = kinds_of(flat, path);
    json branches = json::array();
    for (const std::string& type : allowed.types) {
        branches.push_back(close_type(flat, type, path, depth));
    }
    if (allowed.nullable && branches.size() == 1) {
        branches.front()["nullable"] = true;
    } else if (allowed.nullable) {
        branches.push_back({{"type", "NULL"}});
    }
    return any_of(std::move(branches));
}

/// `anyOf` must be the only keyword, so the other keywords are merged into each branch.
json closer::close_choice(const json& flat, const char* keyword, const std::string& path, std::size_t depth) {
    json beside = flat;
    beside.erase(keyword);
    const json::array_t& choices = elements_of(flat, keyword);
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
            return refuse(opened.error());
        }
        // The annotations of the whole win over those of a single branch, but not over those of several.
        json branch = single ? beside : *opened;
        if (const result<void> done = merge_schemas(branch, single ? *opened : beside, where); !done) {
            return refuse(done.error());
        }
        branches.push_back(close(branch, where, depth + 1));
        flat_.close(before);
    }
    if (single && nulls > 0 && !branches.front().contains("anyOf")) {
        branches.front()["nullable"] = true;
    } else if (nulls > 0) {
        branches.push_back({{"type", "NULL"}});
    }
    if (branches.empty()) {
        return refuse(not_expressible(path, std::string("`") + keyword + "` has no schema that is not null"));
    }
    return any_of(std::move(branches));
}

void closer::check(const json& flat, const std::string& path) {
    for (const std::string_view keyword : inexpressible) {
        if (flat.contains(keyword)) {
            refuse(not_expressible(below(path, keyword), "`" + std::string(keyword) + "` cannot be expressed"));
        }
    }
    if (bool_member(flat, "uniqueItems").value_or(false)) {
        refuse(not_expressible(below(path, "uniqueItems"), "`uniqueItems` cannot be expressed"));
    }
    for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
        if (const json* rest = find_member(flat, keyword); rest != nullptr && rest->is_object() && !rest->empty()) {
            refuse(not_expressible(below(path, keyword), std::string("`") + keyword + "` as a schema cannot be expressed"));
        }
    }
    if (flat.contains("anyOf") && flat.contains("oneOf")) {
        refuse(not_expressible(below(path, "oneOf"), "`oneOf` beside `anyOf` cannot be expressed"));
    }
}

/// The explicit or implied types of a schema. Converts `const` to `enum`, and removes null from `enum`.
closer::kinds closer::kinds_of(json& flat, const std::string& path) {
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
        flat["enum"] = json::array({flat["const"]});
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
                refuse(not_expressible(below(path, flat.contains("const") ? "const" : "enum"),
                                       "only strings can be listed, not " + dump_json(value)));
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
        refuse(not_expressible(path, "a schema without `type` cannot be expressed"));
    }
    return out;
}

json closer::close_type(const json& flat, const std::string& type, const std::string& path, std::size_t depth) {
    json out = json::object();
    std::string name = type;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    out["type"] = name;
    copy(out, flat, {"title", "description", "default", "example"});
    if (type == "string") {
        copy(out, flat, {"format", "pattern", "enum"});
        put_counts(out, flat, {"minLength", "maxLength"}, path);
    } else if (type == "number" || type == "integer") {
        copy(out, flat, {"format", "minimum", "maximum"});
        put_bounds(out, flat, type == "integer", path);
    } else if (type == "array") {
        put_items(out, flat, path, depth);
        put_counts(out, flat, {"minItems", "maxItems"}, path);
    } else if (type == "object") {
        put_properties(out, flat, path, depth);
        copy(out, flat, {"propertyOrdering"});
        put_counts(out, flat, {"minProperties", "maxProperties"}, path);
    } else if (type != "boolean") {
        refuse(not_expressible(below(path, "type"), "\"" + type + "\" is not a type"));
    }
    return out;
}

/// The service encodes 64-bit counts as strings.
void closer::put_counts(json& out, const json& flat, std::initializer_list<const char*> keywords, const std::string& path) {
    for (const char* keyword : keywords) {
        const json* value = find_member(flat, keyword);
        const std::optional<std::int64_t> count = value != nullptr ? as_integer(*value) : std::nullopt;
        if (count) {
            out[keyword] = std::to_string(*count);
        } else if (value != nullptr) {
            refuse(not_expressible(below(path, keyword), std::string("`") + keyword + "` is not an integer that can be expressed"));
        }
    }
}

void closer::put_bounds(json& out, const json& flat, bool integer, const std::string& path) {
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
            refuse(not_expressible(below(path, bound.keyword), std::string("`") + bound.keyword + "` cannot be expressed"));
            continue;
        }
        const std::int64_t inclusive = *limit + bound.step;
        const json* given = find_member(flat, bound.inclusive);
        const std::optional<double> other = given != nullptr ? as_number(*given) : std::nullopt;
        if (!other || (*other - static_cast<double>(inclusive)) * bound.step < 0) {
            out[bound.inclusive] = inclusive;
        }
    }
}

void closer::put_items(json& out, const json& flat, const std::string& path, std::size_t depth) {
    if (const json* items = find_member(flat, "items")) {
        out["items"] = close(*items, below(path, "items"), depth + 1);
    } else {
        refuse(not_expressible(path, "an array without `items` cannot be expressed"));
    }
}

void closer::put_properties(json& out, const json& flat, const std::string& path, std::size_t depth) {
    const json* properties = find_member(flat, "properties");
    if (properties != nullptr && properties->is_object()) {
        for (const auto& [name, schema] : properties->items()) {
            const std::string where = below(below(path, "properties"), name);
            if (!is_parameter_name(name)) {
                refuse(not_expressible(where, "a property name may have only letters, digits and `_`, at most 64, and no digit first"));
            }
            out["properties"][name] = close(schema, where, depth + 1);
        }
    }
    const json::array_t& required = elements_of(flat, "required");
    for (const json& name : required) {
        if (properties == nullptr || find_member(*properties, as_string(name).value_or("")) == nullptr) {
            refuse(not_expressible(below(path, "required"), dump_json(name) + " is required but missing in `properties`"));
        }
    }
    if (!required.empty()) {
        out["required"] = required;
    }
}

}  // namespace

result<json> closed_schema(const json& schema) {
    if (nests_deeper_than(schema, max_json_depth)) {
        return failure{.code = errc::too_large, .message = "the schema nests too deep"};
    }
    closer all(schema);
    json out = all.close(schema, "", 0);
    if (all.failed()) {
        return *all.failed();
    }
    if (string_member(out, "type") != "OBJECT") {
        return not_expressible("", "the parameters of a function must be an object");
    }
    return out.contains("properties") ? std::move(out) : json();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
