#pragma once
#include "gemini/contents_text.hpp"

#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>

#include <memory>
#include <mutex>
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
    /// The cached text of a conversation. Keeps the messages alive, because they are compared by address.
    struct memory {
        conversation messages = {};
        contents_text contents = {};
    };
    /// Encoded declarations.
    struct written_functions {
        capability_list declared = {};
        std::shared_ptr<const std::string> text = {};
    };

    [[nodiscard]] memory take(const model_request& request);
    void keep(memory used);
    [[nodiscard]] result<std::shared_ptr<const std::string>> functions(const capability_list& declared);
    [[nodiscard]] result<json> tool_config(const model_request& request, const contents_text& contents) const;

    part_style style_ = {};
    gemini_parameters parameters_ = {};
    gemini_tool_mode mode_ = {};
    std::vector<std::string> allowed_functions_ = {};
    result<std::string> settings_;  ///< members that are the same in every request

    std::mutex mutex_ = {};
    std::vector<memory> memories_ = {};  ///< the last one was used last
    written_functions functions_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
