#pragma once
#include "anthropic/service.hpp"
#include "anthropic/stream_reader.hpp"
#include "net/model_exchange.hpp"

#include <pyaichat/anthropic/codec.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// The creation of one message.
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
    bool corrects(const failure& error) override;

    std::shared_ptr<service> service_;
    origin from_ = {};
    std::optional<std::uint64_t> first_thinking_ = {};  ///< prefix of the first thinking block that was sent
    std::optional<stream_reader> reader_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
