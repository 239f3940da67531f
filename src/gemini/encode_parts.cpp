#include "gemini/encode_parts.hpp"

#include "gemini/json_text.hpp"
#include "gemini/wire.hpp"

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// The service demands a signature on the first call of each step of the current turn, and takes this word for calls that the model
/// never made itself (wire document, section 9.4).
constexpr std::string_view placeholder_signature = "skip_thought_signature_validator";

void append_text_part(std::string& out, std::string_view text) {
    append_comma(out);
    out += R"({"text":)";
    append_string(out, text);
    out += '}';
}

/// Whether a part says something: a member that is not null and no remark about another one.
bool has_data(const json& one) {
    for (const auto& [name, member] : one.items()) {
        if (!member.is_null() && name != "thought" && name != "thoughtSignature" && name != "partMetadata") {
            return true;
        }
    }
    return false;
}

/// Model parts as they came. A part without data is refused by the service, although it sends such parts: one that is nothing else is left
/// out, one that carries a signature carries it on an empty text. So is a reply, which is not a model's to give, and an id that is no text.
model_parts sent_back(const json& content, const part_style& style) {
    model_parts out;
    const json* received = find_member(content, "parts");
    if (received == nullptr || !received->is_array()) {
        return out;
    }
    for (const json& one : *received) {
        const auto has = [&one](std::string_view name) {
            const json* member = find_member(one, name);
            return member != nullptr && !member->is_null();
        };
        if (!one.is_object() || (!has_data(one) && !has("thoughtSignature")) || has("functionResponse")) {
            continue;
        }
        append_comma(out.text);
        const json* call = find_member(one, "functionCall");
        if (call != nullptr && !call->is_null()) {
            out.calls.push_back({string_of(*call, "id"), string_of(*call, "name")});
        }
        const json* id = call != nullptr ? find_member(*call, "id") : nullptr;
        if (id != nullptr && (!style.call_ids || !id->is_string())) {
            json kept = one;
            kept["functionCall"].erase("id");
            append_json(out.text, kept);
        } else if (!has_data(one)) {
            json kept = json::object();
            kept["thoughtSignature"] = *find_member(one, "thoughtSignature");
            kept["text"] = "";
            append_json(out.text, kept);
        } else {
            append_json(out.text, one);
        }
    }
    return out;
}

/// A model message of another provider or generation, of the host or of the loop.
model_parts retold(const message& one, const part_style& style) {
    model_parts out;
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            append_text_part(out.text, text->text);
        } else if (const auto* call = piece.as<call_part>()) {
            append_comma(out.text);
            out.text += R"({"functionCall":{"args":)";
            append_json(out.text, call->arguments.is_object() ? call->arguments : json::object());
            if (style.call_ids && !call->id.empty()) {
                out.text += R"(,"id":)";
                append_string(out.text, call->id);
            }
            out.text += R"(,"name":)";
            append_string(out.text, call->name);
            out.text += '}';
            if (out.calls.empty()) {
                out.text += R"(,"thoughtSignature":)";
                append_string(out.text, placeholder_signature);
            }
            out.text += '}';
            out.calls.push_back({call->id, call->name});
        }
    }
    return out;
}

bool has_reference(const json& value, std::size_t depth = 0) {
    if (!value.is_structured() || depth > max_json_depth) {
        return false;
    }
    if (find_member(value, "$ref") != nullptr) {
        return true;
    }
    for (const json& element : value) {
        if (has_reference(element, depth + 1)) {
            return true;
        }
    }
    return false;
}

/// In a response `$ref` names one of its binary parts (section 3.2), so an object that happens to have such a member, like a JSON Schema,
/// goes as text.
json without_references(const json& value, std::size_t depth = max_json_depth) {
    if (!value.is_structured()) {
        return value;
    }
    if (depth == 0 || find_member(value, "$ref") != nullptr) {
        return dump_json(value);
    }
    json out = value.is_object() ? json::object() : json::array();
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            out[name] = without_references(member, depth - 1);
        }
    } else {
        for (const json& element : value) {
            out.push_back(without_references(element, depth - 1));
        }
    }
    return out;
}

/// The service takes objects only. Replies of the loop are; imported ones may be anything.
void append_response(std::string& out, const json& value) {
    if (!value.is_object() || find_member(value, "$ref") != nullptr) {
        out += R"({"output":)";
        append_json(out, without_references(value));
        out += '}';
    } else if (has_reference(value)) {
        append_json(out, without_references(value));
    } else {
        append_json(out, value);
    }
}

}  // namespace

model_parts encode_model_parts(const message& one, const part_style& style) {
    return written_for(one, style.writer) ? sent_back(one.wire->body, style) : retold(one, style);
}

std::string encode_user_parts(const message& one, const part_style& style) {
    std::string out;
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            append_text_part(out, text->text);
        } else if (const auto* opaque = piece.as<opaque_part>();
                   opaque != nullptr && written_for(one, style.writer) && opaque->wire.is_object() && !opaque->wire.empty()) {
            append_comma(out);
            append_json(out, opaque->wire);
        }
    }
    return out;
}

std::string encode_reply(const sent_call& call, const json& response, const part_style& style) {
    std::string out = R"({"functionResponse":{)";
    if (style.call_ids && !call.id.empty()) {
        out += R"("id":)";
        append_string(out, call.id);
        out += ',';
    }
    out += R"("name":)";
    append_string(out, call.name);
    out += R"(,"response":)";
    append_response(out, response);
    out += "}}";
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
