#pragma once
#include "openai/message_text.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Encodes the `messages` of a request message by message. Adding a message does not touch the earlier text.
///
/// Enforces section 3.1 of the wire document for any history: after an assistant message with calls come exactly their replies, in order,
/// and after those the text of the user, then its images. A tool message of Chat Completions has no images: those of replies follow the
/// tool messages, each with a text that names its call. Adjacent user messages are merged. A trailing model message is held back until a
/// user message follows.
class messages_text {
public:
    void add(const message& one, const message_style& style);

    /// Whether there is nothing to send.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Whether the last message replies to calls.
    [[nodiscard]] bool answers_calls() const noexcept { return !open_by_model_ && !due_.empty(); }

    /// The number of bytes that `append_to` appends, without the frames of the last messages.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Appends the messages, separated by commas.
    void append_to(std::string& out, const message_style& style) const;

private:
    void add_model(const message& one, const message_style& style);
    void add_user(const message& one, const message_style& style);
    void take_reply(const response_part& reply, std::size_t index, const message_style& style, std::string& text);
    void take_image(const image& picture, const message_style& style, std::string_view label, std::string& text);
    void append_open_user(std::string& out, const message_style& style) const;

    std::string closed_ = {};            ///< messages that are complete
    std::string open_ = {};              ///< the last message: JSON of the model, or text of the user
    std::string images_ = {};            ///< images of the open user message, and their labels: parts, separated by commas
    bool open_by_model_ = false;         ///< whether the last message is the model's
    detail::call_replies due_ = {};      ///< calls of the open model message, or of the one before the open user message
    std::vector<std::string> ids_ = {};  ///< the ids under which the due calls were sent
    call_ids names_ = call_ids();
    bool styled_ = false;  ///< whether `names_` has the style of the service
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
