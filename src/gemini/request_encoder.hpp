#pragma once
#include "gemini/contents_text.hpp"

#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Writes the bodies of requests and remembers the last few, so that a request that goes on where one of them ended costs what is new in
/// it, and a copy of the text. What that saves is in docs/reference/performance.md. Any thread, also several at once.
class request_encoder {
public:
    explicit request_encoder(const gemini_options& options);

    /// As `encode_request`.
    [[nodiscard]] result<std::string> encode(const model_request& request);

    [[nodiscard]] const std::string& writer() const noexcept { return style_.writer; }

private:
    /// What was written for one conversation. It holds the messages, so that none of them can go and leave its address to another one.
    struct memory {
        conversation messages = {};
        contents_text contents = {};
    };
    /// Declarations, and they as text.
    struct written_functions {
        capability_list declared = {};
        std::shared_ptr<const std::string> text = {};
    };

    [[nodiscard]] memory take(const model_request& request);
    void keep(memory used);
    [[nodiscard]] result<std::shared_ptr<const std::string>> functions(const capability_list& declared);
    [[nodiscard]] result<std::string> tool_config(const model_request& request, const contents_text& contents) const;

    part_style style_ = {};
    gemini_parameters parameters_ = {};
    gemini_tool_mode mode_ = {};
    std::vector<std::string> allowed_functions_ = {};
    result<std::string> settings_;  ///< members that are the same in every request, each with a comma behind it

    std::mutex mutex_ = {};
    std::vector<memory> memories_ = {};  ///< the one that was used last is the last
    written_functions functions_ = {};   ///< the last ones
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
