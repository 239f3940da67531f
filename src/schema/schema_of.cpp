#include <pyaichat/schema/schema_of.hpp>

#include <algorithm>
#include <array>
#include <ratio>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void add_property(json& schema, const about& member, json type, bool required) {
    if (schema.empty()) {
        schema = json::object();
        schema["type"] = "object";
        schema["properties"] = json::object();
        schema["additionalProperties"] = false;
    }
    if (!member.text.empty()) {
        const std::string remark(string_member(type, "description").value_or(""));
        type["description"] = std::string(member.text);
        describe_also(type, remark);
    }
    if (member.minimum) {
        type["minimum"] = *member.minimum;
    }
    if (member.maximum) {
        type["maximum"] = *member.maximum;
    }
    schema["properties"][std::string(member.field)] = std::move(type);
    if (required) {
        schema["required"].push_back(std::string(member.field));
    }
}

void describe_also(json& schema, std::string_view remark) {
    if (remark.empty()) {
        return;
    }
    const std::string before(string_member(schema, "description").value_or(""));
    schema["description"] = before.empty() ? std::string(remark) : before + " (" + std::string(remark) + ")";
}

json schema_of_words(std::span<const std::string_view> words, std::span<const std::string_view> texts) {
    json schema = json::object();
    schema["type"] = "string";
    std::string described;
    for (std::size_t i = 0; i < words.size(); ++i) {
        schema["enum"].push_back(std::string(words[i]));
        if (!texts[i].empty()) {
            described += (described.empty() ? "" : "; ") + std::string(words[i]) + ": " + std::string(texts[i]);
        }
    }
    describe_also(schema, described);
    return schema;
}

std::string in_unit(std::intmax_t numerator, std::intmax_t denominator) {
    struct unit {
        std::intmax_t numerator;
        std::intmax_t denominator;
        std::string_view name;
    };
    constexpr std::array units{unit{1, std::nano::den, "nanoseconds"},
                               unit{1, std::micro::den, "microseconds"},
                               unit{1, std::milli::den, "milliseconds"},
                               unit{1, 1, "seconds"},
                               unit{60, 1, "minutes"},
                               unit{3600, 1, "hours"},
                               unit{86400, 1, "days"},
                               unit{604800, 1, "weeks"}};
    const auto* const known = std::find_if(
        units.begin(), units.end(), [&](const unit& each) { return each.numerator == numerator && each.denominator == denominator; });
    if (known != units.end()) {
        return "in " + std::string(known->name);
    }
    return "in units of " + std::to_string(numerator) + (denominator == 1 ? "" : "/" + std::to_string(denominator)) + " seconds";
}

json any_of(std::initializer_list<json> schemas) {
    json schema = json::object();
    for (const json& each : schemas) {
        schema["anyOf"].push_back(each);
    }
    return schema;
}

json list_schema(json element, std::optional<std::size_t> length) {
    json schema = json::object();
    schema["type"] = "array";
    schema["items"] = std::move(element);
    if (length) {
        schema["minItems"] = *length;
        schema["maxItems"] = *length;
    }
    return schema;
}

json tuple_schema(std::initializer_list<json> elements) {
    json schema = json::object();
    schema["type"] = "array";
    schema["minItems"] = elements.size();
    schema["maxItems"] = elements.size();
    for (const json& each : elements) {
        schema["prefixItems"].push_back(each);
    }
    return schema;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
