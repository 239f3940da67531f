#pragma once
#include "openai/answer_format.hpp"
#include "openai/messages_text.hpp"
#include "provider/declaration_cache.hpp"
#include "provider/history_cache.hpp"
#include "provider/text_cache.hpp"

#include <pyaichat/message/request.hpp>
#include <pyaichat/openai/openai_options.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Encodes request bodies. Caches the text of the last conversations: a request that continues one encodes only its new messages.
/// Thread-safe.
class request_encoder {
public:
    explicit request_encoder(const openai_options& options);

    /// Encodes a request; see `encode_request`. `effort` is sent if the options do not set `reasoning_effort`.
    [[nodiscard]] result<std::string> encode(const model_request& request, std::string_view effort = {});

    /// Returns whether the service holds an answer to this schema; see `takes_answer_schema`.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const { return settings_ && answer_.takes(schema); }

    [[nodiscard]] const message_style& style() const noexcept { return style_; }

private:
    [[nodiscard]] detail::text_cache::encoded encoded_instructions(const model_request& request);
    [[nodiscard]] result<void> append_functions(std::string& out, const model_request& request, const messages_text& messages);

    message_style style_ = {};
    result<std::string> settings_;  ///< members that are the same in every request
    answer_format answer_;
    bool has_effort_ = false;

    detail::history_cache<messages_text> histories_ = {};
    detail::declaration_cache functions_ = {};
    detail::text_cache instructions_ = {};
    detail::declaration_cache strict_functions_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
