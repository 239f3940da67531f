#pragma once
#include "net/model_exchange.hpp"
#include "openai/completion_reader.hpp"
#include "openai/service.hpp"

#include <memory>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// One chat completion, or one response of the Responses API.
class attempt final : public net::model_exchange {
public:
    attempt(std::shared_ptr<service> shared, net::attempt_setup asked);

    bool streams() const noexcept override { return service_->options().stream; }

private:
    result<http_request> encode() override;
    bool feed(std::string_view piece) override { return reader_->feed(piece); }
    result<model_response> end() override { return reader_->finish(); }
    result<model_response> decode(std::string_view body) override;
    result<model_response> refusal(const http_response& response) override { return service_->refused_attempt(response); }
    bool corrects(const failure& error) override;

    std::shared_ptr<service> service_;
    bool without_reasoning_ = false;
    std::unique_ptr<completion_reader> reader_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
