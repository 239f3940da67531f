#pragma once
#include "anthropic/call_ids.hpp"
#include "message/call_replies.hpp"

#include <pyaichat/message/message.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// The blocks of an assistant message, and its calls.
struct model_text {
    std::string blocks = {};                    ///< as JSON, separated by commas; empty = nothing to send
    std::vector<detail::sent_call> calls = {};  ///< as the history knows them
    std::vector<std::string> ids = {};          ///< as they are sent
    std::vector<std::string> names = {};        ///< as they are sent
    bool has_thinking = false;
    bool lost_thinking = false;  ///< a thinking block was left out
};

/// Returns whether `writer` wrote the message, so that its wire form may be sent back.
[[nodiscard]] bool is_own(const message& one, std::string_view writer) noexcept;

/// Returns the recorded fingerprint of what preceded an own message, or nothing if it is unknown.
[[nodiscard]] std::optional<std::uint64_t> recorded_prefix(const message& one);

/// Encodes an own message: its blocks unchanged, except texts without words, and with other ids if they are not unique.
[[nodiscard]] model_text own_blocks(const message& one, bool with_thinking, call_ids& ids);

/// Encodes a message of another author from its parts. Thoughts are left out, because only their author can sign them.
[[nodiscard]] model_text foreign_blocks(const message& one, call_ids& ids);

/// Encodes an image, or a text in its place if the service does not take it.
[[nodiscard]] std::string image_block(const image& picture);

/// Encodes the result of a call. A failed one has no images, because the service refuses them.
[[nodiscard]] std::string result_block(std::string_view id, const json& response, const std::vector<image>& images = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
