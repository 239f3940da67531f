#pragma once
#include "gemini/service.hpp"
#include "gemini/stream_reader.hpp"
#include "net/model_exchange.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// One call of `generateContent` or `streamGenerateContent`.
class attempt final : public net::model_exchange {
public:
    attempt(std::shared_ptr<service> shared, net::attempt_setup asked);

    bool streams() const noexcept override { return service_->options().stream; }

private:
    result<http_request> encode() override;
    bool feed(std::string_view piece) override { return reader_->feed(piece); }
    result<model_response> end() override { return reader_->finish(); }
    result<model_response> decode(std::string_view body) override;
    result<model_response> refusal(const http_response& response) override { return service_->refusal(response); }

    std::shared_ptr<service> service_;
    std::optional<stream_reader> reader_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
