#include "anthropic/messages_text.hpp"

#include "anthropic/wire.hpp"
#include "core/fingerprint.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

std::string framed(std::string_view content, std::string_view role) {
    std::string out = R"({"content":)";
    out += content;
    out += R"(,"role":")";
    out += role;
    out += R"("})";
    return out;
}

}  // namespace

void messages_text::add(const message& one, std::string_view writer) {
    if (one.role == role::model) {
        add_model(one, writer);
    } else {
        add_user(one);
    }
}

void messages_text::close(const std::string& text) {
    if (!text.empty()) {
        append_comma(closed_);
        closed_ += text;
        hash_ = detail::fingerprint(text, hash_);
    }
}

bool messages_text::keeps_thinking(const message& one, std::uint64_t before) const {
    if (refused_ && refused_->contains(before)) {
        return false;
    }
    const std::optional<std::uint64_t> recorded = recorded_prefix(one);
    return recorded ? *recorded == before : !lost_thinking_;
}

void messages_text::add_model(const message& one, std::string_view writer) {
    if (empty()) {
        return;
    }
    const std::string user = open_by_model_ ? std::string() : open_user();
    const std::uint64_t before = detail::fingerprint(open_by_model_ ? open_ : user, hash_);
    model_text text = is_own(one, writer) ? own_blocks(one, keeps_thinking(one, before), ids_) : foreign_blocks(one, ids_);
    lost_thinking_ = lost_thinking_ || text.lost_thinking;
    if (text.blocks.empty()) {
        return;
    }
    if (text.has_thinking && !first_thinking_) {
        first_thinking_ = before;
    }
    if (!open_by_model_) {
        close(user);
        texts_.clear();
        due_.clear();
        due_ids_.clear();
        open_by_model_ = true;
    }
    append_comma(open_);
    open_ += text.blocks;
    for (std::size_t i = 0; i < text.calls.size(); ++i) {
        due_.add(std::move(text.calls[i]));
        due_ids_.push_back(std::move(text.ids[i]));
        called_.insert(std::move(text.names[i]));
    }
}

void messages_text::add_user(const message& one) {
    std::vector<user_piece> news;
    bool replied = false;
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !detail::is_blank(text->text)) {
            append_string(news.emplace_back().json, text->text);
        } else if (const auto* picture = piece.as<image_part>()) {
            news.push_back({.json = image_block(picture->image), .is_text = false});
        } else if (const auto* reply = piece.as<response_part>()) {
            if (const std::optional<std::size_t> index = due_.find(*reply)) {
                due_.set(*index, result_block(due_ids_[*index], reply->response, reply->images));
                replied = true;
            }
        }
    }
    if (news.empty() && !replied) {
        return;
    }
    if (std::exchange(open_by_model_, false)) {
        close(framed("[" + open_ + "]", "assistant"));
        open_.clear();
    }
    texts_.insert(texts_.end(), std::make_move_iterator(news.begin()), std::make_move_iterator(news.end()));
}

std::string messages_text::open_user() const {
    if (due_.empty() && texts_.size() == 1 && texts_.front().is_text) {
        return framed(texts_.front().json, "user");
    }
    std::string blocks = "[";
    for (std::size_t i = 0; i < due_.size(); ++i) {
        append_comma(blocks);
        blocks += !due_.text(i).empty()
                      ? due_.text(i)
                      : result_block(due_ids_[i], reply_error(reply_code::cancelled, "nobody has answered this call").envelope());
    }
    for (const user_piece& piece : texts_) {
        append_comma(blocks);
        blocks += piece.is_text ? R"({"text":)" + piece.json + R"(,"type":"text"})" : piece.json;
    }
    return blocks.size() > 1 ? framed(blocks + "]", "user") : std::string();
}

std::size_t messages_text::size() const noexcept {
    std::size_t bytes = closed_.size();
    if (!open_by_model_) {
        bytes += due_.bytes();
        for (const user_piece& piece : texts_) {
            bytes += piece.json.size();
        }
    }
    return bytes;
}

std::uint64_t messages_text::append_to(std::string& out) const {
    out += closed_;
    const std::string user = open_by_model_ ? std::string() : open_user();
    if (user.empty()) {
        return hash_;
    }
    append_comma(out);
    out += user;
    return detail::fingerprint(user, hash_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
