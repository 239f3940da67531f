#include "gemini/contents_text.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// An encoded model message.
struct model_parts {
    std::string text = {};  ///< the parts as JSON, separated by commas; empty = nothing to send
    std::vector<sent_call> calls = {};
};

/// Returns whether the wire form of a message may be sent back to models of `writer`.
bool written_for(const message& message, std::string_view writer) noexcept {
    if (!message.wire) {
        return false;
    }
    const std::string_view author = message.wire->provider;
    return author == writer || author == any_writer || (writer == any_writer && author.starts_with("gemini-"));
}

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

model_parts encode_model_parts(const message& message, const part_style& style) {
    return written_for(message, style.writer) ? original_parts(message.wire->body, style) : rewritten_parts(message, style);
}

/// Encodes the parts of a user message, except replies, as JSON separated by commas.
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

/// Encodes the reply to a call, with the id and name of the call.
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

void append_content(std::string& out, std::string_view parts, std::string_view role) {
    append_comma(out);
    out += R"({"parts":[)";
    out += parts;
    out += R"(],"role":")";
    out += role;
    out += R"("})";
}

void append_part(std::string& parts, std::string_view part) {
    if (!part.empty()) {
        append_comma(parts);
        parts += part;
    }
}

}  // namespace

void contents_text::add(const message& one, const part_style& style) {
    if (one.role == role::model) {
        add_model(one, style);
    } else {
        add_user(one, style);
    }
}

void contents_text::add_model(const message& one, const part_style& style) {
    model_parts parts = encode_model_parts(one, style);
    if (parts.text.empty() || empty()) {
        return;
    }
    if (!open_by_model_) {
        append_open_user(closed_, style);
        open_.clear();
        due_.clear();
        open_by_model_ = true;
    }
    append_part(open_, parts.text);
    for (sent_call& call : parts.calls) {
        due_.add(std::move(call));
    }
}

void contents_text::add_user(const message& one, const part_style& style) {
    const std::string text = encode_user_parts(one, style);
    bool has_news = !text.empty();
    for (const part& piece : one.parts) {
        if (const auto* reply = piece.as<response_part>()) {
            has_news = take_reply(*reply, style) || has_news;
        }
    }
    if (!has_news) {
        return;
    }
    if (std::exchange(open_by_model_, false)) {
        append_content(closed_, open_, "model");
        open_.clear();
    }
    append_part(open_, text);
}

bool contents_text::take_reply(const response_part& reply, const part_style& style) {
    const std::optional<std::size_t> index = due_.find(reply);
    if (index) {
        due_.set(*index, encode_reply(due_.call(*index), reply.response, style));
    }
    return index.has_value();
}

std::size_t contents_text::size() const noexcept {
    std::size_t bytes = closed_.size();
    if (!open_by_model_) {
        bytes += open_.size() + due_.bytes();
    }
    return bytes;
}

void contents_text::append_to(std::string& out, const part_style& style) const {
    out += closed_;
    if (!open_by_model_) {
        append_open_user(out, style);
    }
}

void contents_text::append_open_user(std::string& out, const part_style& style) const {
    std::string parts = open_;
    for (std::size_t i = 0; i < due_.size(); ++i) {
        if (!due_.text(i).empty()) {
            append_part(parts, due_.text(i));
        } else {
            const json nothing = reply_error(reply_code::cancelled, "nobody has answered this call").envelope();
            append_part(parts, encode_reply(due_.call(i), nothing, style));
        }
    }
    if (!parts.empty()) {
        append_content(out, parts, "user");
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
