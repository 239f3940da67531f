#pragma once
#include "gemini/contents_text.hpp"
#include "gemini/request_settings.hpp"
#include "provider/declaration_cache.hpp"
#include "provider/history_cache.hpp"
#include "provider/text_cache.hpp"

#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>

#include <optional>
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

    /// Whether requests carry this schema of an answer.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    [[nodiscard]] const std::string& writer() const noexcept { return style_.writer; }

private:
    /// What a request asks of the service beside its contents.
    struct plan {
        gemini_tool_mode mode = {};
        bool has_functions = false;
        std::optional<json> schema = {};  ///< of the answer
    };

    [[nodiscard]] plan plan_of(const model_request& request, const contents_text& contents) const;
    [[nodiscard]] result<void> append_calling_config(std::string& body, const model_request& request, gemini_tool_mode mode) const;
    void append_generation(std::string& body, const model_request& request, const plan& planned) const;
    [[nodiscard]] result<void> append_tools(std::string& body, const model_request& request, const plan& planned);

    part_style style_ = {};
    gemini_parameters parameters_ = {};
    gemini_tool_mode mode_ = {};
    std::vector<std::string> allowed_functions_ = {};
    bool sends_answer_schemas_ = false;
    result<request_settings> settings_;

    detail::history_cache<contents_text> histories_ = {};
    detail::declaration_cache functions_ = {};
    detail::text_cache instructions_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
