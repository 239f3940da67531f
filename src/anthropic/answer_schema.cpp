#include "anthropic/answer_schema.hpp"

#include "anthropic/wire.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

constexpr std::size_t most_optional_properties = 24;
constexpr std::size_t most_unions = 16;
constexpr std::size_t most_levels = 32;

/// Walks through a schema as the service compiles it: references are followed.
class schema_walk {
public:
    explicit schema_walk(const json& root) : root_(root) {}

    [[nodiscard]] bool enforceable(const json& schema, std::size_t level = 0) {
        if (!schema.is_object() || level > most_levels) {
            return false;
        }
        for (const auto& [name, value] : schema.items()) {
            if (!keyword(name, value, level)) {
                return false;
            }
        }
        return closed(schema) && optional_ <= most_optional_properties && unions_ <= most_unions;
    }

private:
    bool keyword(std::string_view name, const json& value, std::size_t level) {
        constexpr std::array<std::string_view, 6> free = {"type", "required", "additionalProperties", "title", "description", "default"};
        constexpr std::array<std::string_view, 10> formats = {"date-time", "time", "date", "duration", "email",
                                                              "hostname",  "uri",  "ipv4", "ipv6",     "uuid"};
        if (name == "properties") {
            return all_enforceable(value, level);
        }
        if (name == "items") {
            return enforceable(value, level + 1);
        }
        if (name == "anyOf") {
            ++unions_;
            return all_enforceable(value, level);
        }
        if (name == "$ref") {
            return reference(as_string(value).value_or(""), level);
        }
        if (name == "$defs") {
            return level == 0;  // read where something refers to it
        }
        if (name == "enum") {
            return value.is_array() && std::none_of(value.begin(), value.end(), [](const json& one) { return one.is_structured(); });
        }
        if (name == "const") {
            return !value.is_structured();
        }
        if (name == "format") {
            return std::find(formats.begin(), formats.end(), as_string(value).value_or("")) != formats.end();
        }
        unions_ += name == "type" && value.is_array() ? 1 : 0;
        return std::find(free.begin(), free.end(), name) != free.end();
    }

    bool all_enforceable(const json& schemas, std::size_t level) {
        return schemas.is_structured() &&
               std::all_of(schemas.begin(), schemas.end(), [&](const json& one) { return enforceable(one, level + 1); });
    }

    bool reference(std::string_view target, std::size_t level) {
        constexpr std::string_view prefix = "#/$defs/";
        const json* definitions = find_member(root_, "$defs");
        const std::string name(target.substr(std::min(prefix.size(), target.size())));
        const json* definition = definitions != nullptr && target.starts_with(prefix) ? find_member(*definitions, name) : nullptr;
        if (definition == nullptr || std::find(open_.begin(), open_.end(), definition) != open_.end()) {
            return false;
        }
        open_.push_back(definition);
        const bool fits = enforceable(*definition, level + 1);
        open_.pop_back();
        return fits;
    }

    /// Whether the schema restricts its value, and allows no other properties if it is of an object.
    bool closed(const json& schema) {
        const json* type = find_member(schema, "type");
        const json* properties = find_member(schema, "properties");
        const bool listed = type != nullptr && type->is_array() && std::find(type->begin(), type->end(), json("object")) != type->end();
        if (properties == nullptr && !listed && (type == nullptr || *type != "object")) {
            constexpr std::array<const char*, 5> restrictions = {"type", "enum", "const", "anyOf", "$ref"};
            return std::any_of(restrictions.begin(), restrictions.end(), [&](const char* name) { return schema.contains(name); });
        }
        const json::array_t& required = elements_of(schema, "required");
        if (properties != nullptr) {
            for (const auto& [name, property] : properties->items()) {
                optional_ += std::find(required.begin(), required.end(), json(name)) == required.end() ? 1 : 0;
            }
        }
        return bool_member(schema, "additionalProperties") == false;
    }

    const json& root_;
    std::vector<const json*> open_ = {};  ///< the definitions that are being followed
    std::size_t optional_ = 0;
    std::size_t unions_ = 0;
};

}  // namespace

bool is_enforceable(const json& schema) {
    return string_member(schema, "type") == "object" && schema_walk(schema).enforceable(schema);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
