#pragma once
#include "gemini/encode_parts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// The `contents` of a request as text, written message by message: adding one more costs what that one costs.
///
/// Keeps the rules of the wire document's section 10 whatever it is given: begins with the user; neighbours of one role are one content; a
/// content with calls is followed by one with exactly their replies, in their order and behind any text (from Gemini 3.6 on anything behind
/// the replies is refused, in words that speak of something else); nothing is empty; a model content at the end is held back until a user
/// content follows it.
class contents_text {
public:
    void add(const message& one, const part_style& style);

    /// Whether there is nothing that can be sent.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Whether the last content replies to calls.
    [[nodiscard]] bool answers_calls() const noexcept { return !open_by_model_ && !due_.empty(); }

    /// The bytes of what `append_to` appends, but for some replies that nobody gave.
    [[nodiscard]] std::size_t size() const noexcept;
    /// The contents, separated by commas.
    void append_to(std::string& out, const part_style& style) const;

private:
    void add_model(const message& one, const part_style& style);
    void add_user(const message& one, const part_style& style);
    [[nodiscard]] bool take_reply(const response_part& reply, const part_style& style);
    void append_open_user(std::string& out, const part_style& style) const;

    std::string closed_ = {};                ///< contents that nothing can change any more
    std::string open_ = {};                  ///< parts of the last content, replies left out
    bool open_by_model_ = false;             ///< whose the last content is; the user's while there is none
    std::vector<sent_call> due_ = {};        ///< calls of the open model content, or of the one before the open user content
    std::vector<std::string> replies_ = {};  ///< to them, as parts; empty = has not come
    std::size_t next_ = 0;                   ///< the call that is most likely replied to next
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
