#include "testing/gemini_emulator/gemini_shape.hpp"

#include "testing/gemini_emulator/gemini_messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using kind = gemini_kind;

constexpr std::array<std::string_view, 9> data_members = {
    "text",           "inlineData",          "fileData", "functionCall", "functionResponse",
    "executableCode", "codeExecutionResult", "toolCall", "toolResponse"};

/// Keeps the order of members: the paths into maps, and the error for a second `data` member, depend on it.
using ordered_json = nlohmann::ordered_json;

std::string text_of(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool is_int64(const ordered_json& value) {
    if (const auto* text = value.get_ptr<const std::string*>()) {
        const std::string_view digits = std::string_view(*text).substr(text->starts_with('-') ? 1 : 0);
        return !digits.empty() && digits.size() <= 19 &&
               std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    }
    return as_integer(json(value)).has_value();
}

bool is_int32(const ordered_json& value) {
    const auto number = value.is_number() ? as_integer(json(value)) : std::nullopt;
    return number && *number >= INT32_MIN && *number <= INT32_MAX;
}

class shape_checker {
public:
    std::vector<gemini_violation> found;

    void check_message(const ordered_json& value, std::string_view type, const std::string& path) {
        if (!value.is_object()) {
            invalid(path, "type.googleapis.com/google.ai.generativelanguage.v1beta." + std::string(type), value);
            return;
        }
        const gemini_fields& known = gemini_message(type);
        std::string_view data = {};
        for (const auto& [name, member] : value.items()) {
            const auto known_field = std::find_if(known.begin(), known.end(), [&name = name](const gemini_field& field) {
                return field.name == name || snake_case(field.name) == name;
            });
            if (known_field == known.end()) {
                unknown(name, path, "Cannot find field.");
                continue;
            }
            if (member.is_null()) {
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
            if (value.is_array() && expected.type != kind::any) {
                unknown(name, parent, "Proto field is not repeating, cannot start list.");
                return;
            }
            check_value(value, expected, path);
            return;
        }
        if (!value.is_array()) {
            found.push_back({path, "Invalid value at '" + path + "' (list expected), " + text_of(value)});
            return;
        }
        for (std::size_t index = 0; index < value.size(); ++index) {
            check_value(value[index], expected, path + "[" + std::to_string(index) + "]");
        }
    }

    void check_map(const ordered_json& value, const gemini_field& expected, const std::string& path) {
        if (!value.is_object()) {
            found.push_back({path, "Invalid value at '" + path + "' (map expected), " + text_of(value)});
            return;
        }
        std::size_t index = 0;
        for (const auto& entry : value.items()) {
            check_value(entry.value(), expected, path + "[" + std::to_string(index++) + "].value");
        }
    }

    void check_value(const ordered_json& value, const gemini_field& expected, const std::string& path) {
        switch (expected.type) {
            case kind::any: return;
            case kind::message: return check_message(value, expected.type_name, path);
            case kind::text: return require(value.is_string(), path, "TYPE_STRING", value);
            case kind::boolean: return require(value.is_boolean(), path, "TYPE_BOOL", value);
            case kind::number: return require(value.is_number(), path, "TYPE_DOUBLE", value);
            case kind::int32: return require(is_int32(value), path, "TYPE_INT32", value);
            case kind::int64: return require(is_int64(value), path, "TYPE_INT64", value);
            case kind::structure: return require(value.is_object(), path, "type.googleapis.com/google.protobuf.Struct", value);
            case kind::bytes:
                if (const auto* text = value.get_ptr<const std::string*>(); text != nullptr && !is_base64(*text)) {
                    found.push_back({path, "Invalid value at '" + path + "' (TYPE_BYTES), Base64 decoding failed for " + text_of(value)});
                    return;
                }
                return require(value.is_string(), path, "TYPE_BYTES", value);
            case kind::enumeration: {
                const std::vector<std::string_view>& words = gemini_enumeration(expected.type_name);
                const auto* word = value.get_ptr<const std::string*>();
                return require(word != nullptr && std::find(words.begin(), words.end(), *word) != words.end(), path,
                               "type.googleapis.com/google.ai.generativelanguage.v1beta." + std::string(expected.type_name), value);
            }
        }
    }

    void require(bool fits, const std::string& path, const std::string& type, const ordered_json& value) {
        if (!fits) {
            invalid(path, type, value);
        }
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

std::string snake_case(std::string_view camel) {
    std::string out;
    for (const char c : camel) {
        if (c >= 'A' && c <= 'Z') {
            out += '_';
            out += static_cast<char>(c - 'A' + 'a');
        } else {
            out += c;
        }
    }
    return out;
}

const json* proto_member(const json& object, std::string_view camel) {
    const json* member = find_member(object, camel);
    if (member == nullptr) {
        member = find_member(object, snake_case(camel));
    }
    return member == nullptr || member->is_null() ? nullptr : member;
}

std::string proto_text(const json& object, std::string_view camel) {
    const json* member = proto_member(object, camel);
    return member == nullptr ? std::string() : std::string(as_string(*member).value_or(""));
}

bool is_base64(std::string_view text) {
    const std::size_t end = std::min(text.find('='), text.size());
    const std::string_view padding = text.substr(end);
    const std::string_view digits = text.substr(0, end);
    const auto digit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '-' || c == '_';
    };
    return std::all_of(digits.begin(), digits.end(), digit) &&
           std::all_of(padding.begin(), padding.end(), [](char c) { return c == '='; }) && digits.size() % 4 != 1 &&
           (padding.empty() || (digits.size() + padding.size()) % 4 == 0) && padding.size() <= 2;
}

std::string_view data_member(const json& part) {
    const auto found =
        std::find_if(data_members.begin(), data_members.end(), [&](std::string_view name) { return proto_member(part, name) != nullptr; });
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
