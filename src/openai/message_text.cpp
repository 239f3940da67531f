#include "openai/message_text.hpp"

#include "core/base64.hpp"
#include "openai/wire.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// Whether a member of a message goes back as it came. Role, content and calls are written apart; services do not take others back.
bool is_returned(std::string_view member) {
    constexpr std::array<std::string_view, 6> members = {"reasoning_content", "reasoning",     "reasoning_details",
                                                         "refusal",           "extra_content", "name"};
    return std::find(members.begin(), members.end(), member) != members.end();
}

/// The text that was run: the arguments themselves if they are the text of an object.
std::string arguments_text(const json& function, const call_part& call) {
    const auto text = string_member(function, "arguments");
    return call.arguments.is_object() && text && !detail::is_blank(*text) ? std::string(*text)
           : call.arguments.is_object()                                   ? dump_json(call.arguments)
                                                                          : "{}";
}

/// Appends a member to a JSON object that is being written.
void write_member(std::string& out, std::string_view name, const json& value) {
    append_comma(out);
    append_string(out, name);
    out += ':';
    append_json(out, value, max_json_depth + 2);
}

void write_no_content(std::string& out, openai_no_content form) {
    if (form == openai_no_content::null) {
        write_member(out, "content", nullptr);
    } else if (form == openai_no_content::empty) {
        write_member(out, "content", "");
    }
}

bool has_text(const json* content) {
    const auto text = content != nullptr ? as_string(*content) : std::nullopt;
    return text ? !text->empty() : content != nullptr && content->is_array() && !content->empty();
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

/// Whether a call can be sent as it came.
bool is_complete(const json& wire, const json* function, const call_part& call, const std::string& id) {
    const auto is_null = [](const json& member) { return member.is_null(); };
    return function != nullptr && function->is_object() && string_member(wire, "id") == id && string_member(wire, "type") &&
           find_member(wire, "index") == nullptr && call.arguments.is_object() && string_member(*function, "name") == call.name &&
           !detail::is_blank(string_member(*function, "arguments").value_or("")) && std::none_of(wire.begin(), wire.end(), is_null) &&
           std::none_of(function->begin(), function->end(), is_null);
}

void write_original_call(std::string& out, const json& wire, const call_part& call, const std::string& id) {
    const json* function = find_member(wire, "function");
    if (is_complete(wire, function, call, id)) {
        append_json(out, wire, max_json_depth + 2);
        return;
    }
    json sent = without_nulls(&wire);
    sent.erase("index");
    sent["id"] = id;
    if (!string_member(sent, "type")) {
        sent["type"] = "function";
    }
    json repaired = without_nulls(function);
    repaired["arguments"] = arguments_text(repaired, call);
    repaired["name"] = call.name;
    sent["function"] = std::move(repaired);
    append_json(out, sent, max_json_depth + 2);
}

/// Encodes a call that another service wrote. `more` has further members, or is null.
void write_rewritten_call(std::string& out, const call_part& call, const std::string& id, const json& more) {
    json sent = more.is_object() ? more : json::object();
    sent["function"] = json::object({{"arguments", arguments_text({}, call)}, {"name", call.name}});
    sent["id"] = id;
    sent["type"] = "function";
    append_json(out, sent, max_json_depth + 2);
}

/// Writes the calls of a message, and notes their ids. `originals` are the calls as the service wrote them; empty for another author.
void write_calls(model_text& out, const std::vector<const call_part*>& calls, const json::array_t& originals, const message_style& style,
                 call_ids& ids) {
    static const json nothing;
    const bool own = originals.size() == calls.size();
    ids.begin_message();
    append_comma(out.text);
    out.text += R"("tool_calls":[)";
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const call_part& call = *calls[i];
        const std::string& id = out.ids.emplace_back(ids.take(call.id, own));
        out.calls.push_back({call.id, call.name});
        append_comma(out.text);
        if (own) {
            write_original_call(out.text, originals[i], call, id);
        } else {
            write_rewritten_call(out.text, call, id, i == 0 ? style.profile.foreign_call_members : nothing);
        }
    }
    out.text += ']';
}

/// Appends one item of the Responses API.
void append_item(model_text& out, const json& item) {
    append_comma(out.text);
    append_json(out.text, item, max_json_depth + 4);
}

bool is_reasoning_item(const json& item) {
    return string_member(item, "type") == "reasoning";
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
        const json::array_t& items = elements_of(one.wire->body, "output");
        // Without the item that follows it, the service refuses reasoning.
        const auto end = std::find_if_not(items.rbegin(), items.rend(), is_reasoning_item).base();
        for (auto item = items.begin(); item != end; ++item) {
            if (string_member(*item, "type") != "function_call" || next >= calls.size()) {
                append_item(out, *item);
                continue;
            }
            json sent = *item;
            if (!string_member(sent, "arguments")) {
                sent["arguments"] = arguments_text(sent, *calls[next]);
            }
            sent["call_id"] = next_id();
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
    static const json nothing = json::object();
    const bool own = one.wire && one.wire->provider == style.writer && one.wire->body.is_object();
    const json& wire = own ? one.wire->body : nothing;
    const json told = own ? json() : json(one.text());
    const json* const content = own ? find_member(wire, "content") : &told;
    const std::vector<const call_part*> calls = calls_of(one);
    if (calls.empty() && !has_text(content) && !string_member(wire, "refusal")) {
        return {};  // an empty message would make every later request fail
    }
    model_text out;
    out.text = R"({"role":"assistant")";
    if (has_text(content) || (own && content != nullptr && content->is_string())) {
        write_member(out.text, "content", *content);
    } else {
        write_no_content(out.text, style.profile.no_content);
    }
    for (const auto& [name, member] : wire.items()) {
        if (is_returned(name) && !member.is_null()) {
            write_member(out.text, name, member);
        }
    }
    const std::string& demanded = style.profile.demanded_member;
    if (!demanded.empty() && !string_member(wire, demanded)) {
        write_member(out.text, demanded, "");
    }
    if (!calls.empty()) {
        write_calls(out, calls, elements_of(wire, "tool_calls"), style, ids);
    }
    out.text += '}';
    return out;
}

}  // namespace

model_text encode_model(const message& one, const message_style& style, call_ids& ids) {
    return style.responses ? encode_output(one, style, ids) : encode_chat(one, style, ids);
}

std::string text_piece(std::string_view text, const message_style& style) {
    std::string out = style.responses ? R"({"type":"input_text","text":)" : R"({"type":"text","text":)";
    append_string(out, text);
    return out + '}';
}

std::string image_piece(const image& picture, const message_style& style) {
    const std::string url = "data:" + picture.mime_type() + ";base64," + detail::encode_base64(picture.data());
    return style.responses ? R"({"type":"input_image","detail":"auto","image_url":")" + url + R"("})"
                           : R"({"type":"image_url","image_url":{"url":")" + url + R"("}})";
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
