#include "gemini/contents_text.hpp"

#include "gemini/json_text.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

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

/// Matches by id if both have one, else by name.
bool belongs(const response_part& reply, const sent_call& call) {
    return reply.id.empty() || call.id.empty() ? reply.name == call.name : reply.id == call.id;
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
        replies_.clear();
        next_ = 0;
        open_by_model_ = true;
    }
    append_part(open_, parts.text);
    due_.insert(due_.end(), std::make_move_iterator(parts.calls.begin()), std::make_move_iterator(parts.calls.end()));
    replies_.resize(due_.size());
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
    // Replies with ids usually come in the order of the calls, so the search starts after the last one. Names match in call order.
    const std::size_t first = reply.id.empty() ? 0 : next_;
    for (std::size_t n = 0; n < due_.size(); ++n) {
        const std::size_t i = (first + n) % due_.size();
        if (replies_[i].empty() && belongs(reply, due_[i])) {
            replies_[i] = encode_reply(due_[i], reply.response, style);
            next_ = i + 1;
            return true;
        }
    }
    return false;
}

std::size_t contents_text::size() const noexcept {
    std::size_t bytes = closed_.size();
    if (!open_by_model_) {
        bytes += open_.size();
        for (const std::string& reply : replies_) {
            bytes += reply.size();
        }
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
        if (!replies_[i].empty()) {
            append_part(parts, replies_[i]);
        } else {
            const json nothing = reply_error(reply_code::cancelled, "nobody has answered this call").envelope();
            append_part(parts, encode_reply(due_[i], nothing, style));
        }
    }
    if (!parts.empty()) {
        append_content(out, parts, "user");
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
