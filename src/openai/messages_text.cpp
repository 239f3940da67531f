#include "openai/messages_text.hpp"

#include "openai/wire.hpp"
#include "provider/image_text.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

constexpr std::string_view paragraph = "\n\n";  // between the texts of one message

void append_paragraph(std::string& text, std::string_view more) {
    if (!more.empty()) {
        text += text.empty() ? "" : paragraph;
        text += more;
    }
}

/// Encodes the content of a reply as a JSON string: the JSON of the reply, or a text as it is.
std::string content_of(const json& response) {
    std::string out;
    const auto text = as_string(response);
    append_string(out, text ? std::string(*text) : dump_json(response));
    return out;
}

}  // namespace

void messages_text::add(const message& one, const message_style& style) {
    if (!std::exchange(styled_, true)) {
        names_ = call_ids(style.profile.call_ids, style.responses || style.profile.call_ids == openai_call_ids::nine);
    }
    if (one.role == role::model) {
        add_model(one, style);
    } else {
        add_user(one, style);
    }
}

void messages_text::add_model(const message& one, const message_style& style) {
    if (empty() && !open_by_model_) {
        return;
    }
    model_text encoded = encode_model(one, style, names_);
    if (encoded.text.empty()) {
        return;
    }
    if (open_by_model_) {
        append_comma(closed_);
        closed_ += open_;
        open_.clear();
    }
    append_open_user(closed_, style);
    images_.clear();
    due_.clear();
    for (detail::sent_call& call : encoded.calls) {
        due_.add(std::move(call));
    }
    ids_ = std::move(encoded.ids);
    open_ = std::move(encoded.text);
    open_by_model_ = true;
}

/// Adds an image, with a label before it. If the service does not take the image there, `text` says so.
void messages_text::take_image(const image& picture, const message_style& style, std::string_view label, std::string& text) {
    const bool in_last_reply = !due_.empty() && style.profile.text_after_replies == openai_text_after_replies::in_last_reply;
    if (in_last_reply || !detail::is_taken(picture, style.profile.image_types)) {
        append_paragraph(text, std::string(label) + (label.empty() ? "" : " ") + detail::missing_image_text(picture));
        return;
    }
    if (!label.empty()) {
        append_comma(images_);
        images_ += text_piece(label, style);
    }
    append_comma(images_);
    images_ += image_piece(picture, style);
}

void messages_text::take_reply(const response_part& reply, std::size_t index, const message_style& style, std::string& text) {
    std::string content = content_of(reply.response);
    std::string images;  // of an output of the Responses API
    for (std::size_t i = 0; i < reply.images.size(); ++i) {
        const image& picture = reply.images[i];
        if (!style.responses) {
            take_image(picture, style, detail::reply_image_text(reply.name, i + 1), text);
        } else if (detail::is_taken(picture, style.profile.image_types)) {
            images += "," + image_piece(picture, style);
        } else {
            images += "," + text_piece(detail::missing_image_text(picture), style);
        }
    }
    if (!images.empty()) {
        content = R"([{"type":"input_text","text":)" + content + "}" + images + "]";
    }
    due_.set(index, std::move(content));
}

void messages_text::add_user(const message& one, const message_style& style) {
    std::string text;
    bool has_news = false;
    for (const part& piece : one.parts) {
        if (const auto* said = piece.as<text_part>()) {
            append_paragraph(text, said->text);
        } else if (const auto* picture = piece.as<image_part>()) {
            take_image(picture->image, style, {}, text);
        } else if (const auto* reply = piece.as<response_part>()) {
            if (const auto index = due_.find(*reply)) {
                take_reply(*reply, *index, style, text);
                has_news = true;
            }
        }
    }
    if (!has_news && text.empty() && images_.empty()) {
        return;
    }
    if (std::exchange(open_by_model_, false)) {
        append_comma(closed_);
        closed_ += open_;
        open_.clear();
    }
    append_paragraph(open_, text);
}

std::size_t messages_text::size() const noexcept {
    return closed_.size() + (open_by_model_ ? 0 : open_.size() + images_.size() + due_.bytes());
}

void messages_text::append_to(std::string& out, const message_style& style) const {
    if (!closed_.empty()) {
        append_comma(out);
        out += closed_;
    }
    if (!open_by_model_) {
        append_open_user(out, style);
    }
}

void messages_text::append_open_user(std::string& out, const message_style& style) const {
    // While a model message is open, it has become a part of the closed text: only the calls that nobody replied to are left.
    const std::string_view text = open_by_model_ ? std::string_view() : std::string_view(open_);
    const bool in_last_reply = !due_.empty() && style.profile.text_after_replies == openai_text_after_replies::in_last_reply;
    for (std::size_t i = 0; i < due_.size(); ++i) {
        std::string content = !due_.text(i).empty()
                                  ? due_.text(i)
                                  : content_of(reply_error(reply_code::cancelled, "nobody has answered this call").envelope());
        if (in_last_reply && i + 1 == due_.size() && !text.empty()) {
            std::string more;
            append_string(more, std::string(paragraph) + std::string(text));
            content.pop_back();
            content += std::string_view(more).substr(1);
        }
        append_comma(out);
        out += encode_reply(ids_[i], content, style);
    }
    if (!images_.empty() || (!text.empty() && !in_last_reply)) {
        append_comma(out);
        out += R"({"role":"user","content":)";
        if (images_.empty()) {
            append_string(out, text);
        } else {
            out += '[' + (text.empty() ? std::string() : text_piece(text, style) + ',') + images_ + ']';
        }
        out += '}';
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
