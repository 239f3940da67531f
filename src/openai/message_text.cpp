#include "openai/message_text.hpp"

#include "openai/wire.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// Members that services send in a message but do not accept back, or that are sent apart.
bool is_returned(std::string_view member) {
    constexpr std::array<std::string_view, 9> members = {
        "role", "content", "tool_calls", "reasoning_content", "reasoning", "reasoning_details", "refusal", "extra_content", "name"};
    return std::find(members.begin(), members.end(), member) != members.end();
}

/// The text that was run: the arguments themselves if they are the text of an object.
std::string arguments_text(const json& function, const call_part& call) {
    const auto text = string_member(function, "arguments");
    return call.arguments.is_object() && text && !detail::is_blank(*text) ? std::string(*text)
           : call.arguments.is_object()                                   ? dump_json(call.arguments)
                                                                          : "{}";
}

void set_no_content(json& wire, openai_no_content form) {
    wire.erase("content");
    if (form == openai_no_content::null) {
        wire["content"] = nullptr;
    } else if (form == openai_no_content::empty) {
        wire["content"] = "";
    }
}

bool has_text(const json& wire) {
    const json* content = find_member(wire, "content");
    if (content == nullptr) {
        return false;
    }
    const auto text = as_string(*content);
    return text ? !text->empty() : content->is_array() && !content->empty();
}

std::vector<const call_part*> calls_of(const message& one) {
    std::vector<const call_part*> out;
    for (const part& piece : one.parts) {
        if (const auto* call = piece.as<call_part>()) {
            out.push_back(call);
        }
    }
    return out;
}

/// Copies the members that are not null; none if the value is missing or not an object.
json without_nulls(const json* object) {
    json out = json::object();
    if (object != nullptr && object->is_object()) {
        for (const auto& [name, member] : object->items()) {
            if (!member.is_null()) {
                out[name] = member;
            }
        }
    }
    return out;
}

json original_call(const json& wire, const call_part& call, std::string id) {
    json out = without_nulls(&wire);
    out.erase("index");
    out["id"] = std::move(id);
    if (!string_member(out, "type")) {
        out["type"] = "function";
    }
    json function = without_nulls(find_member(wire, "function"));
    function["arguments"] = arguments_text(function, call);
    function["name"] = call.name;
    out["function"] = std::move(function);
    return out;
}

json rewritten_call(const call_part& call, std::string id) {
    json function = json::object({{"arguments", arguments_text({}, call)}, {"name", call.name}});
    return json::object({{"function", std::move(function)}, {"id", std::move(id)}, {"type", "function"}});
}

/// Adds the calls of a message to its wire form, and notes their ids.
void add_calls(json& wire, const message& one, const json::array_t& originals, const message_style& style, call_ids& ids, model_text& out) {
    const std::vector<const call_part*> calls = calls_of(one);
    const bool own = originals.size() == calls.size();
    ids.begin_message();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const call_part& call = *calls[i];
        std::string id = ids.take(call.id, own);
        out.calls.push_back({call.id, call.name});
        out.ids.push_back(id);
        json sent = own ? original_call(originals[i], call, std::move(id)) : rewritten_call(call, std::move(id));
        if (!own && i == 0 && style.profile.foreign_call_members.is_object()) {
            sent.update(style.profile.foreign_call_members);
        }
        wire["tool_calls"].push_back(std::move(sent));
    }
}

/// Appends one item of the Responses API.
void append_item(model_text& out, const json& item) {
    append_comma(out.text);
    append_json(out.text, item, max_json_depth + 4);
}

/// Encodes a model message for the Responses API: all items that the service sent, or items made from the parts.
model_text encode_output(const message& one, const message_style& style, call_ids& ids) {
    model_text out;
    const bool own = one.wire && one.wire->provider == style.writer;
    const std::vector<const call_part*> calls = calls_of(one);
    std::size_t next = 0;
    const auto next_id = [&] {
        const call_part& call = *calls[next++];
        out.calls.push_back({call.id, call.name});
        return out.ids.emplace_back(ids.take(call.id, own));
    };
    ids.begin_message();
    if (own) {
        for (const json& item : elements_of(one.wire->body, "output")) {
            json sent = item;
            if (string_member(item, "type") == "function_call" && next < calls.size()) {
                sent["call_id"] = next_id();
            }
            append_item(out, sent);
        }
        return out;
    }
    if (const std::string text = one.text(); !text.empty()) {
        append_item(out, json::object({{"content", text}, {"role", "assistant"}}));
    }
    for (const call_part* call : calls) {
        append_item(
            out, json::object(
                     {{"arguments", arguments_text({}, *call)}, {"call_id", next_id()}, {"name", call->name}, {"type", "function_call"}}));
    }
    return out;
}

/// Encodes a model message for Chat Completions.
model_text encode_chat(const message& one, const message_style& style, call_ids& ids) {
    model_text out;
    json wire = json::object();
    const bool own = one.wire && one.wire->provider == style.writer && one.wire->body.is_object();
    static const json::array_t none;
    if (own) {
        for (const auto& [name, member] : one.wire->body.items()) {
            if (is_returned(name) && name != "tool_calls" && !member.is_null()) {
                wire[name] = member;
            }
        }
    } else if (std::string text = one.text(); !text.empty()) {
        wire["content"] = std::move(text);
    }
    wire["role"] = "assistant";
    add_calls(wire, one, own ? elements_of(one.wire->body, "tool_calls") : none, style, ids, out);
    const std::string& demanded = style.profile.demanded_member;
    if (!demanded.empty() && !out.calls.empty() && !string_member(wire, demanded)) {
        wire[demanded] = "";
    }
    if (!has_text(wire)) {
        if (out.calls.empty() && !string_member(wire, "refusal")) {
            return {};  // an empty message would make every later request fail
        }
        if (!string_member(wire, "content")) {
            set_no_content(wire, style.profile.no_content);
        }
    }
    append_json(out.text, wire, max_json_depth + 4);
    return out;
}

}  // namespace

model_text encode_model(const message& one, const message_style& style, call_ids& ids) {
    return style.responses ? encode_output(one, style, ids) : encode_chat(one, style, ids);
}

std::string encode_reply(std::string_view id, std::string_view content, const message_style& style) {
    std::string out = style.responses ? R"({"type":"function_call_output","call_id":)" : R"({"role":"tool","tool_call_id":)";
    append_string(out, id);
    out += style.responses ? R"(,"output":)" : R"(,"content":)";
    out += content;
    out += '}';
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
