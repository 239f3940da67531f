#include "testing/gemini_emulator/gemini_rules.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// Checks the nodes of a `responseJsonSchema` until the first violation. The service ignores keywords that it does not know. Its own
/// messages for these errors are not known.
class answer_schema_checker {
public:
    explicit answer_schema_checker(const json& document) : document_(document) {}

    std::optional<std::string> found;

    void check(const json& node, const std::string& path) {
        if (found) {
            return;
        }
        if (!node.is_object()) {
            refuse(path, "is not an object");
            return;
        }
        if (const auto reference = string_member(node, "$ref")) {
            check_reference(node, std::string(*reference), path);
        }
        check_type(node, path);
        check_enum(node, path);
        for (const char* keyword : {"properties", "$defs"}) {
            check_map(node, keyword, path);
        }
        for (const char* keyword : {"anyOf", "oneOf", "prefixItems"}) {
            check_list(node, keyword, path);
        }
        for (const char* keyword : {"items", "additionalProperties"}) {
            if (const json* schema = find_member(node, keyword); schema != nullptr && !schema->is_boolean()) {
                check(*schema, path + "." + keyword);
            }
        }
    }

private:
    void refuse(const std::string& path, const std::string& what) {
        found = found ? found : "Invalid JSON schema at '" + path + "': " + what + ".";
    }

    void check_map(const json& node, const char* keyword, const std::string& path) {
        const json* schemas = find_member(node, keyword);
        if (schemas == nullptr) {
            return;
        }
        if (!schemas->is_object()) {
            refuse(path + "." + keyword, "is not an object");
            return;
        }
        for (const auto& [name, schema] : schemas->items()) {
            check(schema, path + "." + keyword + "[" + name + "]");
        }
    }

    void check_list(const json& node, const char* keyword, const std::string& path) {
        const json* schemas = find_member(node, keyword);
        if (schemas == nullptr) {
            return;
        }
        if (!schemas->is_array()) {
            refuse(path + "." + keyword, "is not a list");
            return;
        }
        each_element(*schemas, path + "." + keyword, [&](const json& schema, const std::string& at) { check(schema, at); });
    }

    void check_type(const json& node, const std::string& path) {
        constexpr std::array<std::string_view, 7> types = {"string", "number", "integer", "boolean", "array", "object", "null"};
        const json* type = find_member(node, "type");
        const json list = type == nullptr ? json::array() : type->is_array() ? *type : json::array({*type});
        for (const json& name : list) {
            if (std::find(types.begin(), types.end(), as_string(name).value_or("")) == types.end()) {
                refuse(path + ".type", "is not a type");
            }
        }
    }

    void check_enum(const json& node, const std::string& path) {
        const json* choices = find_member(node, "enum");
        const auto takes = [](const json& choice) { return choice.is_string() || choice.is_number(); };
        if (choices != nullptr && (!choices->is_array() || !std::all_of(choices->begin(), choices->end(), takes))) {
            refuse(path + ".enum", "has a value that is neither a string nor a number");
        }
    }

    void check_reference(const json& node, const std::string& reference, const std::string& path) {
        for (const auto& member : node.items()) {
            if (!member.key().starts_with('$')) {
                refuse(path, "a node with `$ref` has the member `" + member.key() + "`");
            }
        }
        std::set<const json*> open;
        if (target(reference) == nullptr) {
            refuse(path, "the reference \"" + reference + "\" leads to nothing");
        } else if (leads_back(node, open)) {
            refuse(path, "the reference \"" + reference + "\" is recursive through required properties");
        }
    }

    /// The schema that a reference such as `#/$defs/name` leads to, or null.
    [[nodiscard]] const json* target(const std::string& reference) const {
        if (reference == "#") {
            return &document_;
        }
        if (!reference.starts_with("#/")) {
            return nullptr;
        }
        const json::json_pointer pointer(reference.substr(1));
        return document_.contains(pointer) ? &document_.at(pointer) : nullptr;
    }

    /// Whether a value of this schema must contain itself. `open` holds the schemas on the way.
    [[nodiscard]] bool leads_back(const json& node, std::set<const json*>& open) const {
        if (!open.insert(&node).second) {
            return true;
        }
        bool out = false;
        if (const auto reference = string_member(node, "$ref")) {
            const json* next = target(std::string(*reference));
            out = next != nullptr && leads_back(*next, open);
        }
        const json* properties = find_member(node, "properties");
        const json* required = find_member(node, "required");
        for (const json& name : required != nullptr && required->is_array() ? *required : json::array()) {
            const json* next = properties != nullptr ? find_member(*properties, as_string(name).value_or("")) : nullptr;
            out = out || (next != nullptr && leads_back(*next, open));
        }
        open.erase(&node);
        return out;
    }

    const json& document_;
};

}  // namespace

std::optional<std::string> check_gemini_answer_schema(const json& schema) {
    answer_schema_checker checker(schema);
    checker.check(schema, "generation_config.response_json_schema");
    return std::move(checker.found);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
