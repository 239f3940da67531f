#include "gemini/contents_text.hpp"

#include "core/base64.hpp"
#include "gemini/wire.hpp"
#include "provider/image_text.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <algorithm>
#include <array>
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

/// The service requires a signature on the first call of each step, and accepts this one for calls without a signature (section 9.4).
constexpr std::string_view placeholder_signature = "skip_thought_signature_validator";

void append_text_part(std::string& out, std::string_view text) {
    append_comma(out);
    out += R"({"text":)";
    append_string(out, text);
    out += '}';
}

constexpr std::array<std::string_view, 5> image_types = {"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"};

void append_image_data(std::string& out, const image& picture) {
    append_comma(out);
    out += R"({"inlineData":{"data":")";
    out += detail::encode_base64(picture.data());
    out += R"(","mimeType":)";
    append_string(out, picture.mime_type());
    out += "}}";
}

/// Appends an image, or a text in its place.
void append_image_part(std::string& out, const image& picture) {
    if (detail::is_taken(picture, image_types)) {
        append_image_data(out, picture);
    } else {
        append_text_part(out, detail::missing_image_text(picture));
    }
}

/// Whether a part has a member that is neither null nor a documented side member (section 3).
bool has_data(const json& part) {
    constexpr std::array<std::string_view, 8> side_members = {"thought",        "thoughtSignature",  "partMetadata",
                                                              "videoMetadata",  "mediaResolution",   "mediaProcessing",
                                                              "speechMetadata", "audioTranscription"};
    for (const auto& [name, member] : part.items()) {
        if (!member.is_null() && std::find(side_members.begin(), side_members.end(), name) == side_members.end()) {
            return true;
        }
    }
    return false;
}

/// Whether a part lacks the signature that the service demands. Models sometimes leave it out, or send an empty one.
bool lacks_signature(const json& part) {
    return string_member(part, "thoughtSignature").value_or("").empty();
}

/// A part that the service sent, in the form in which it takes it back.
struct returned_part {
    const json& sent;
    json edited = {};  ///< null = unchanged

    [[nodiscard]] const json& form() const { return edited.is_null() ? sent : edited; }
    [[nodiscard]] json& edit() {
        if (edited.is_null()) {
            edited = sent;
        }
        return edited;
    }
};

/// Encodes the parts of a message from Gemini unchanged, except what the service sends but does not accept: parts without data are dropped
/// (a signature moves to an empty text), and so are replies in model messages, and ids and signatures that are not strings. The first call
/// of a content (`begins`) gets a placeholder if it lacks a signature that the model demands.
model_parts original_parts(const json& content, const part_style& style, bool begins) {
    model_parts out;
    for (const json& part : elements_of(content, "parts")) {
        const auto member = [&part](std::string_view name) {
            const json* found = find_member(part, name);
            return found != nullptr && !found->is_null() ? found : nullptr;
        };
        const json* signature = member("thoughtSignature");
        const bool is_signed = signature != nullptr && signature->is_string();
        if (!part.is_object() || (!has_data(part) && !is_signed) || member("functionResponse") != nullptr) {
            continue;
        }
        returned_part returned{part};
        if (signature != nullptr && !is_signed) {
            returned.edit().erase("thoughtSignature");
        }
        if (const json* call = member("functionCall"); call != nullptr) {
            if (begins && style.signatures && out.calls.empty() && lacks_signature(part)) {
                returned.edit()["thoughtSignature"] = placeholder_signature;
            }
            const json* id = find_member(*call, "id");
            if (id != nullptr && (!style.call_ids || !id->is_string())) {
                returned.edit()["functionCall"].erase("id");
            }
            out.calls.push_back({string_of(*call, "id"), string_of(*call, "name")});
        } else if (!has_data(part)) {
            returned.edited = {{"text", ""}, {"thoughtSignature", *signature}};
        }
        append_comma(out.text);
        append_json(out.text, returned.form());
    }
    return out;
}

/// Encodes a model message of another provider or generation, of the host or of the loop.
model_parts rewritten_parts(const message& message, const part_style& style, bool begins) {
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
            if (begins && out.calls.empty()) {
                whole["thoughtSignature"] = placeholder_signature;
            }
            append_comma(out.text);
            append_json(out.text, whole, max_json_depth + 2);
            out.calls.push_back({call->id, call->name});
        }
    }
    return out;
}

/// `begins` says that the content has no call before this message, whose first call therefore needs a signature.
model_parts encode_model_parts(const message& message, const part_style& style, bool begins) {
    return written_for(message, style.writer) ? original_parts(message.wire->body, style, begins) : rewritten_parts(message, style, begins);
}

/// Encodes the parts of a user message, except replies, as JSON separated by commas.
std::string encode_user_parts(const message& message, const part_style& style) {
    std::string out;
    for (const part& piece : message.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            append_text_part(out, text->text);
        } else if (const auto* picture = piece.as<image_part>()) {
            append_image_part(out, picture->image);
        } else if (const auto* opaque = piece.as<opaque_part>();
                   opaque != nullptr && written_for(message, style.writer) && opaque->wire.is_object() && !opaque->wire.empty()) {
            append_comma(out);
            append_json(out, opaque->wire);
        }
    }
    return out;
}

/// Encodes the reply to a call, with the id and name of the call. `images` are parts, separated by commas.
std::string encode_reply(const sent_call& call, const json& response, const part_style& style, std::string_view images = {}) {
    std::string out = R"({"functionResponse":{)";
    if (style.call_ids && !call.id.empty()) {
        append_member(out, "id", call.id);
    }
    append_member(out, "name", call.name);
    if (!images.empty()) {
        out += R"("parts":[)";
        out += images;
        out += "],";
    }
    // The service accepts only objects, but imported replies may be any value. It takes a member `$ref` for a reference (section 3.2).
    const bool acceptable = response.is_object() && find_member(response, "$ref") == nullptr;
    out += acceptable ? R"("response":)" : R"("response":{"output":)";
    append_json(out, response, max_json_depth, references::as_text);
    out += acceptable ? "}}" : "}}}";
    return out;
}

void begin_content(std::string& out) {
    append_comma(out);
    out += R"({"parts":[)";
}

void end_content(std::string& out, std::string_view role) {
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
    model_parts parts = encode_model_parts(one, style, !open_by_model_ || due_.empty());
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
    std::string text = encode_user_parts(one, style);
    bool has_news = !text.empty();
    for (const part& piece : one.parts) {
        if (const auto* reply = piece.as<response_part>()) {
            has_news = take_reply(*reply, style, text) || has_news;
        }
    }
    if (!has_news) {
        return;
    }
    if (std::exchange(open_by_model_, false)) {
        begin_content(closed_);
        closed_ += open_;
        end_content(closed_, "model");
        open_.clear();
    }
    append_part(open_, text);
}

bool contents_text::take_reply(const response_part& reply, const part_style& style, std::string& before) {
    const std::optional<std::size_t> index = due_.find(reply);
    if (!index) {
        return false;
    }
    std::string images;
    for (std::size_t i = 0; i < reply.images.size(); ++i) {
        if (style.reply_images && detail::is_taken(reply.images[i], image_types)) {
            append_image_data(images, reply.images[i]);
        } else {
            // A reply has no text parts, and the service refuses parts after the replies.
            append_text_part(before, detail::reply_image_text(due_.call(*index).name, i + 1));
            append_image_part(before, reply.images[i]);
        }
    }
    due_.set(*index, encode_reply(due_.call(*index), reply.response, style, images));
    return true;
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
    if (open_.empty() && due_.empty()) {
        return;
    }
    begin_content(out);
    out += open_;
    for (std::size_t i = 0; i < due_.size(); ++i) {
        if (!due_.text(i).empty()) {
            append_part(out, due_.text(i));
        } else {
            const json nothing = reply_error(reply_code::cancelled, "nobody has answered this call").envelope();
            append_part(out, encode_reply(due_.call(i), nothing, style));
        }
    }
    end_content(out, "user");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
