#include "testing/gemini_emulator/gemini_shape.hpp"

#include <pyaichat/core/text.hpp>

#include "testing/gemini_emulator/gemini_messages.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::array<std::string_view, 9> data_members = {
    "text",           "inlineData",          "fileData", "functionCall", "functionResponse",
    "executableCode", "codeExecutionResult", "toolCall", "toolResponse"};

/// Keeps the order of members: the paths into maps, and the error for a second `data` member, depend on it.
using ordered_json = nlohmann::ordered_json;

/// `parametersJsonSchema` -> `parameters_json_schema`.
std::string snake_case(std::string_view camel) {
    std::string out;
    for (const char c : camel) {
        const bool capital = c >= 'A' && c <= 'Z';
        out += capital ? "_" : "";
        out += static_cast<char>(capital ? c - 'A' + 'a' : c);
    }
    return out;
}

std::string text_of(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// A number, or a string of digits.
bool is_int64(const ordered_json& value) {
    if (const auto* text = value.get_ptr<const std::string*>()) {
        std::int64_t number = 0;
        const char* const end = text->data() + text->size();
        const auto [rest, error] = std::from_chars(text->data(), end, number);
        return rest == end && error == std::errc();
    }
    return as_integer(json(value)).has_value();
}

bool is_int32(const ordered_json& value) {
    const auto number = value.is_number() ? as_integer(json(value)) : std::nullopt;
    return number && *number >= INT32_MIN && *number <= INT32_MAX;
}

/// Accepts standard and URL-safe base64, with or without padding.
bool is_base64(std::string_view text) {
    const std::string_view digits = text.substr(0, text.find('='));
    const std::string_view padding = text.substr(digits.size());
    const auto digit = [](char c) { return is_letter(c) || detail::is_digit(c) || c == '+' || c == '/' || c == '-' || c == '_'; };
    return std::all_of(digits.begin(), digits.end(), digit) && std::string_view("==").starts_with(padding) && digits.size() % 4 != 1 &&
           (padding.empty() || text.size() % 4 == 0);
}

struct scalar_type {
    std::string_view name;
    const char* wire_name;
    bool (*fits)(const ordered_json& value);
};

constexpr auto scalar_types = std::to_array<scalar_type>({
    {"string", "TYPE_STRING", [](const ordered_json& value) { return value.is_string(); }},
    {"bytes", "TYPE_BYTES", [](const ordered_json& value) { return value.is_string(); }},
    {"bool", "TYPE_BOOL", [](const ordered_json& value) { return value.is_boolean(); }},
    {"double", "TYPE_DOUBLE", [](const ordered_json& value) { return value.is_number(); }},
    {"int32", "TYPE_INT32", is_int32},
    {"int64", "TYPE_INT64", is_int64},
    {"struct", "type.googleapis.com/google.protobuf.Struct", [](const ordered_json& value) { return value.is_object(); }},
    {"any", "", [](const ordered_json&) { return true; }},
});

class shape_checker {
public:
    std::vector<gemini_violation> found;

    void check_message(const ordered_json& value, std::string_view type, const std::string& path) {
        if (!value.is_object()) {
            invalid(path, type_url(type), value);
            return;
        }
        const gemini_fields& known = *gemini_message(type);
        std::string_view data = {};
        std::set<std::string_view> seen;
        for (const auto& [name, member] : value.items()) {
            const auto known_field = std::find_if(known.begin(), known.end(), [&name = name](const gemini_field& field) {
                return field.name == name || snake_case(field.name) == name;
            });
            // A request names its model in the URL. Only a request within a `countTokens` request has a member for it.
            if (known_field == known.end() || (known_field->name == "model" && path.empty())) {
                unknown(name, path, "Cannot find field.");
                continue;
            }
            if (member.is_null()) {
                continue;
            }
            if (!seen.insert(known_field->name).second) {
                unknown(name, path, "The same field is already set in its other spelling.");
                continue;
            }
            if (type == "Part" && std::find(data_members.begin(), data_members.end(), known_field->name) != data_members.end()) {
                if (!data.empty()) {
                    found.push_back({path, "Invalid value at '" + path + "' (oneof), oneof field 'data' is already set. Cannot set '" +
                                               std::string(known_field->name) + "'"});
                    continue;
                }
                data = known_field->name;
            }
            check_field(member, *known_field, name, path);
        }
    }

private:
    void check_field(const ordered_json& value, const gemini_field& expected, const std::string& name, const std::string& parent) {
        const std::string path = (parent.empty() ? "" : parent + ".") + snake_case(expected.name);
        if (expected.map) {
            check_map(value, expected, path);
            return;
        }
        if (!expected.repeated) {
            if (value.is_array() && expected.type != "any") {
                unknown(name, parent, "Proto field is not repeating, cannot start list.");
                return;
            }
            check_value(value, expected.type, path);
            return;
        }
        if (!value.is_array()) {
            invalid(path, "list expected", value);
            return;
        }
        each_element(value, path, [&](const ordered_json& element, const std::string& at) { check_value(element, expected.type, at); });
    }

    void check_map(const ordered_json& value, const gemini_field& expected, const std::string& path) {
        if (!value.is_object()) {
            invalid(path, "map expected", value);
            return;
        }
        std::size_t index = 0;
        for (const auto& entry : value.items()) {
            check_value(entry.value(), expected.type, path + "[" + std::to_string(index++) + "].value");
        }
    }

    void check_value(const ordered_json& value, std::string_view type, const std::string& path) {
        if (gemini_message(type) != nullptr) {
            check_message(value, type, path);
        } else if (const auto* words = gemini_enumeration(type)) {
            const auto* word = value.get_ptr<const std::string*>();
            if (word == nullptr || std::find(words->begin(), words->end(), *word) == words->end()) {
                invalid(path, type_url(type), value);
            }
        } else if (const auto* text = value.get_ptr<const std::string*>(); type == "bytes" && text != nullptr && !is_base64(*text)) {
            found.push_back({path, "Invalid value at '" + path + "' (TYPE_BYTES), Base64 decoding failed for " + text_of(value)});
        } else {
            const auto scalar =
                std::find_if(scalar_types.begin(), scalar_types.end(), [&](const auto& known) { return known.name == type; });
            if (!scalar->fits(value)) {
                invalid(path, scalar->wire_name, value);
            }
        }
    }

    static std::string type_url(std::string_view type) {
        return "type.googleapis.com/google.ai.generativelanguage.v1beta." + std::string(type);
    }
    void invalid(const std::string& path, const std::string& type, const ordered_json& value) {
        found.push_back({path, "Invalid value at '" + path + "' (" + type + "), " + text_of(value)});
    }
    void unknown(const std::string& name, const std::string& path, const std::string& reason) {
        const std::string where = path.empty() ? std::string() : " at '" + path + "'";
        found.push_back({path, "Invalid JSON payload received. Unknown name \"" + name + "\"" + where + ": " + reason});
    }
};

}  // namespace

const json& proto_member(const json& object, std::string_view camel) {
    static const json null = nullptr;
    const json* member = find_member(object, camel);
    if (member == nullptr) {
        member = find_member(object, snake_case(camel));
    }
    return member == nullptr ? null : *member;
}

std::string proto_text(const json& object, std::string_view camel) {
    return std::string(as_string(proto_member(object, camel)).value_or(""));
}

std::string_view data_member(const json& part) {
    const auto found =
        std::find_if(data_members.begin(), data_members.end(), [&](std::string_view name) { return !proto_member(part, name).is_null(); });
    return found == data_members.end() ? std::string_view() : *found;
}

std::vector<gemini_violation> check_gemini_shape(std::string_view text, const json& parsed, std::string_view message) {
    ordered_json request = ordered_json::parse(text, nullptr, false);
    if (request.is_discarded()) {  // invalid UTF-8, which `parse_json` has repaired
        request = ordered_json(parsed);
    }
    shape_checker checker;
    checker.check_message(request, message, "");
    return checker.found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
