#pragma once
#include "message/call_replies.hpp"

#include <pyaichat/message/message.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Options for encoding a message.
struct part_style {
    std::string writer = {};  ///< messages of this generation are sent back unchanged (`wire_writer`)
    bool call_ids = true;
    bool signatures = true;    ///< the model demands a thought signature on the first call of each content
    bool reply_images = true;  ///< replies contain their images; older models get them before the replies
};

using detail::sent_call;

/// Encodes the `contents` of a request message by message. Adding a message does not touch the earlier text.
///
/// Enforces section 10 of the wire document for any history: the first content is the user's, adjacent messages of one role are merged,
/// no content is empty. The content after calls has exactly their replies, in order, after any text and image. (From Gemini 3.6 on, the
/// service refuses text after the replies, with a misleading error.) A trailing model content is held back until a user content follows.
class contents_text {
public:
    void add(const message& one, const part_style& style);

    /// Whether there is nothing to send.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Whether the last content replies to calls.
    [[nodiscard]] bool answers_calls() const noexcept { return !open_by_model_ && !due_.empty(); }

    /// The number of bytes that `append_to` appends, without replies that it makes up for unanswered calls.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Appends the contents, separated by commas.
    void append_to(std::string& out, const part_style& style) const;

private:
    void add_model(const message& one, const part_style& style);
    void add_user(const message& one, const part_style& style);
    /// Encodes a reply. Appends to `before` what the model reads before all replies.
    [[nodiscard]] bool take_reply(const response_part& reply, const part_style& style, std::string& before);
    void append_open_user(std::string& out, const part_style& style) const;

    std::string closed_ = {};        ///< contents that are complete
    std::string open_ = {};          ///< parts of the last content, without replies
    bool open_by_model_ = false;     ///< whether the last content is the model's
    detail::call_replies due_ = {};  ///< calls of the open model content, or of the one before the open user content
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
