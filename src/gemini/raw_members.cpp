#include "gemini/raw_members.hpp"

#include "gemini/wire.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

failure refused(const std::string& path, const std::string& why, std::string hint) {
    return {.code = errc::invalid_argument, .message = "`raw_members`: `" + path + "` " + why, .hint = std::move(hint)};
}

struct own_member {
    std::string_view path;
    const char* hint;
};

/// The members that the SDK writes into every request that needs them.
constexpr std::array<own_member, 5> own_members = {{
    {"contents", "Add messages to the conversation."},
    {"systemInstruction", "Set the instructions of the agent."},
    {"model", "Set the option `model`."},
    {"tools.functionDeclarations", "Give the function to the agent as a capability."},
    {"toolConfig.functionCallingConfig", "Set the options `tool_mode` and `allowed_functions`."},
}};

/// Converts "safety_settings" to "safetySettings": the service accepts both spellings.
std::string camel_case(std::string_view name) {
    std::string out;
    bool raise = false;
    for (const char c : name) {
        if (c == '_') {
            raise = !out.empty();
            continue;
        }
        const bool lower = c >= 'a' && c <= 'z';
        out += raise && lower ? static_cast<char>(c - 'a' + 'A') : c;
        raise = false;
    }
    return out;
}

/// Returns the members of an object except nulls, with their names in camelCase. `path` is the place of the object; empty = the request.
result<json> members_of(const json& object, const std::string& path) {
    if (!object.is_object()) {
        return refused(path, "is not an object", "Give an object.");
    }
    json out = json::object();
    for (const auto& [given, member] : object.items()) {
        const std::string name = camel_case(given);
        const std::string full = path.empty() ? name : path + "." + name;
        for (const own_member& own : own_members) {
            if (own.path == full) {
                return refused(full, "is written by the SDK", own.hint);
            }
        }
        if (member.is_null()) {
            continue;
        }
        if (out.contains(name)) {
            return refused(full, "is given twice", "Give it once: both spellings of a name mean the same.");
        }
        out[name] = member;
    }
    return out;
}

/// Appends the objects of a list to `out`.
result<void> append_objects(json& out, const json& list, const std::string& path) {
    if (!list.is_array()) {
        return refused(path, "is not a list", "Give a list of objects.");
    }
    for (const json& element : list) {
        if (!element.is_object()) {
            return refused(path, "has an element that is not an object", "Give a list of objects.");
        }
        result<json> members = members_of(element, path);
        if (!members) {
            return members.error();
        }
        out.push_back(*std::move(members));
    }
    return {};
}

result<void> take_members(json& out, const json& object, const std::string& path) {
    result<json> members = members_of(object, path);
    if (!members) {
        return members.error();
    }
    out = *std::move(members);
    return {};
}

}  // namespace

result<raw_members> sort_raw_members(const json& given) {
    raw_members out;
    if (given.is_null()) {
        return out;
    }
    if (!given.is_object()) {
        return failure{.code = errc::invalid_argument,
                       .message = "`raw_members` is not an object",
                       .hint = "Give an object with members of the request."};
    }
    const result<json> request = members_of(given, "");
    if (!request) {
        return request.error();
    }
    for (const auto& [name, member] : request->items()) {
        result<void> taken;
        if (name == "tools") {
            taken = append_objects(out.tools, member, name);
        } else if (name == "safetySettings") {
            taken = append_objects(out.safety, member, name);
        } else if (name == "toolConfig") {
            taken = take_members(out.tool_config, member, name);
        } else if (name == "generationConfig") {
            taken = take_members(out.generation, member, name);
        } else {
            out.other[name] = member;
        }
        if (!taken) {
            return taken.error();
        }
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
