#include "openai/messages_text.hpp"

#include "openai/wire.hpp"

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
        names_ = call_ids(style.profile.call_ids);
    }
    if (one.role == role::model) {
        add_model(one, style);
    } else {
        add_user(one);
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
    due_.clear();
    for (detail::sent_call& call : encoded.calls) {
        due_.add(std::move(call));
    }
    ids_ = std::move(encoded.ids);
    open_ = std::move(encoded.text);
    open_by_model_ = true;
}

void messages_text::add_user(const message& one) {
    std::string text;
    bool has_news = false;
    for (const part& piece : one.parts) {
        if (const auto* said = piece.as<text_part>()) {
            append_paragraph(text, said->text);
        } else if (const auto* reply = piece.as<response_part>()) {
            if (const auto index = due_.find(*reply)) {
                due_.set(*index, content_of(reply->response));
                has_news = true;
            }
        }
    }
    if (!has_news && text.empty()) {
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
    return closed_.size() + (open_by_model_ ? 0 : open_.size() + due_.bytes());
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
    if (!text.empty() && !in_last_reply) {
        append_comma(out);
        out += R"({"role":"user","content":)";
        append_string(out, text);
        out += '}';
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
