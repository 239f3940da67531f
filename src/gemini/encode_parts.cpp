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
    for (const json& part : elements_of(content, "parts")) {
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
            json wire = {{"args", call->arguments.is_object() ? call->arguments : json::object()}, {"name", call->name}};
            if (style.call_ids && !call->id.empty()) {
                wire["id"] = call->id;
            }
            json whole = {{"functionCall", std::move(wire)}};
            if (out.calls.empty()) {
                whole["thoughtSignature"] = placeholder_signature;
            }
            append_comma(out.text);
            append_json(out.text, whole, max_json_depth + 2);
            out.calls.push_back({call->id, call->name});
        }
    }
    return out;
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
        append_member(out, "id", call.id);
    }
    append_member(out, "name", call.name);
    // The service accepts only objects, but imported replies may be any value. It takes a member `$ref` for a reference (section 3.2).
    const bool acceptable = response.is_object() && find_member(response, "$ref") == nullptr;
    out += acceptable ? R"("response":)" : R"("response":{"output":)";
    append_json(out, response, max_json_depth, references::as_text);
    out += acceptable ? "}}" : "}}}";
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
