#pragma once
#include "gemini/contents_text.hpp"
#include "provider/declaration_cache.hpp"
#include "provider/history_cache.hpp"

#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Encodes request bodies. Caches the text of the last conversations: a request that continues one encodes only its new messages.
/// Thread-safe.
class request_encoder {
public:
    explicit request_encoder(const gemini_options& options);

    /// Encodes a request; see `encode_request`.
    [[nodiscard]] result<std::string> encode(const model_request& request);

    [[nodiscard]] const std::string& writer() const noexcept { return style_.writer; }

private:
    [[nodiscard]] result<json> tool_config(const model_request& request, const contents_text& contents) const;

    part_style style_ = {};
    gemini_parameters parameters_ = {};
    gemini_tool_mode mode_ = {};
    std::vector<std::string> allowed_functions_ = {};
    result<std::string> settings_;  ///< members that are the same in every request

    detail::history_cache<contents_text> histories_ = {};
    detail::declaration_cache functions_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
