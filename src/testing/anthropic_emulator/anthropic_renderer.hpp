#pragma once
#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/testing/anthropic_reply.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Writes a scripted reply as an HTTP response.
class anthropic_renderer {
public:
    /// The reply must outlive the renderer.
    anthropic_renderer(const anthropic_reply& reply, std::string model, bool streamed)
        : reply_(reply), model_(std::move(model)), streamed_(streamed && !reply.never_streamed_) {}

    /// The blocks of the message; empty for errors.
    [[nodiscard]] const json& content() const noexcept { return reply_.content_; }
    [[nodiscard]] loopback_reply wire() const;

private:
    [[nodiscard]] json message(bool begun) const;
    [[nodiscard]] std::vector<json> events() const;
    void append_block(std::vector<json>& out, const json& block, std::size_t index) const;

    const anthropic_reply& reply_;
    std::string model_;
    bool streamed_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
