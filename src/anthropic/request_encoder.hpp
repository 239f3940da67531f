#pragma once
#include "anthropic/messages_text.hpp"
#include "anthropic/request_settings.hpp"
#include "provider/declaration_cache.hpp"
#include "provider/history_cache.hpp"
#include "provider/text_cache.hpp"

#include <pyaichat/message/request.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// An encoded request.
struct encoded_request {
    std::string body = {};
    std::uint64_t prefix = 0;                          ///< fingerprint of all that precedes the response
    std::optional<std::uint64_t> first_thinking = {};  ///< prefix of the first thinking block in it
};

/// Encodes request bodies. Caches the text of the last conversations: a request that continues one encodes only its new messages.
/// Thread-safe.
class request_encoder {
public:
    explicit request_encoder(const anthropic_options& options);

    /// Encodes a request; see `encode_request`. A request that only counts tokens has no generation options.
    [[nodiscard]] result<encoded_request> encode(const model_request& request, bool counting = false);

    /// From now on, leaves out the thinking blocks that were written after this prefix, because the service has refused them.
    void refuse_thinking(std::uint64_t prefix);

    /// Returns whether the service holds an answer to this schema; see `takes_answer_schema`.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    [[nodiscard]] const std::string& writer() const noexcept { return writer_; }

private:
    struct declared_tools {
        detail::declaration_cache::text text = {};
        std::uint64_t hash = 0;
    };
    [[nodiscard]] result<declared_tools> tools_of(const capability_list& declared, bool strict);
    [[nodiscard]] std::string tool_choice(const model_request& request, bool answers_calls) const;
    /// Appends `output_config`. The schema of the request replaces that of the options.
    void append_output(std::string& out, const model_request& request) const;
    [[nodiscard]] std::string instructions_of(const model_request& request) const;

    std::string writer_;
    bool strict_ = false;
    bool parallel_ = true;
    schema_profile parameters_;
    bool may_force_ = false;
    bool structured_ = false;  ///< whether the model holds an answer to a schema
    result<request_settings> settings_;

    detail::history_cache<messages_text> histories_ = {};
    detail::declaration_cache tools_ = {};
    detail::text_cache instructions_ = {};
    detail::declaration_cache strict_tools_ = {};
    std::mutex mutex_ = {};
    declared_tools last_tools_ = {};
    std::shared_ptr<const refused_prefixes> refused_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
