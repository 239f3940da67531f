#include "gemini/encode_parts.hpp"

#include "gemini/json_text.hpp"
#include "gemini/wire.hpp"

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// The service requires a signature on the first call of each step, and accepts this one for calls that it did not write (section 9.4).
constexpr std::string_view placeholder_signature = "skip_thought_signature_validator";

void append_text_part(std::string& out, std::string_view text) {
    append_comma(out);
    out += R"({"text":)";
    append_string(out, text);
    out += '}';
}

/// Whether a part has a member that is neither null nor metadata.
bool has_data(const json& part) {
    for (const auto& [name, member] : part.items()) {
        if (!member.is_null() && name != "thought" && name != "thoughtSignature" && name != "partMetadata") {
            return true;
        }
    }
    return false;
}

/// Encodes the parts of a message from Gemini unchanged, except what the service sends but does not accept: parts without data are dropped
/// (a signature moves to an empty text), and so are replies in model messages and ids that are not strings.
model_parts original_parts(const json& content, const part_style& style) {
    model_parts out;
    const json* received = find_member(content, "parts");
    if (received == nullptr || !received->is_array()) {
        return out;
    }
    for (const json& part : *received) {
        const auto has = [&part](std::string_view name) {
            const json* member = find_member(part, name);
            return member != nullptr && !member->is_null();
        };
        if (!part.is_object() || (!has_data(part) && !has("thoughtSignature")) || has("functionResponse")) {
            continue;
        }
        append_comma(out.text);
        const json* call = find_member(part, "functionCall");
        if (call != nullptr && !call->is_null()) {
            out.calls.push_back({string_of(*call, "id"), string_of(*call, "name")});
        }
        const json* id = call != nullptr ? find_member(*call, "id") : nullptr;
        if (id != nullptr && (!style.call_ids || !id->is_string())) {
            json edited = part;
            edited["functionCall"].erase("id");
            append_json(out.text, edited);
        } else if (!has_data(part)) {
            json edited = json::object();
            edited["thoughtSignature"] = *find_member(part, "thoughtSignature");
            edited["text"] = "";
            append_json(out.text, edited);
        } else {
            append_json(out.text, part);
        }
    }
    return out;
}

/// Encodes a model message of another provider or generation, of the host or of the loop.
model_parts rewritten_parts(const message& message, const part_style& style) {
    model_parts out;
    for (const part& piece : message.parts) {
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

/// Converts objects with a member `$ref` (such as a JSON Schema) to text, because the service takes it for a reference (section 3.2).
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

/// The service accepts only objects. Imported replies may be any value.
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

model_parts encode_model_parts(const message& message, const part_style& style) {
    return written_for(message, style.writer) ? original_parts(message.wire->body, style) : rewritten_parts(message, style);
}

std::string encode_user_parts(const message& message, const part_style& style) {
    std::string out;
    for (const part& piece : message.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            append_text_part(out, text->text);
        } else if (const auto* opaque = piece.as<opaque_part>();
                   opaque != nullptr && written_for(message, style.writer) && opaque->wire.is_object() && !opaque->wire.empty()) {
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
