#pragma once
#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/testing/openai_reply.hpp>

#include <functional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Writes a scripted reply as HTTP.
class openai_renderer {
public:
    /// `request` is the body of the request, which decides between a document and events.
    openai_renderer(const openai_reply& reply, const json& request) : reply_(reply), request_(request) {}

    [[nodiscard]] loopback_reply wire() const;

    /// Makes the HTTP response of a reply, whose faults it applies. `content` makes the body, unless the reply has its own.
    [[nodiscard]] static loopback_reply wire_of(const openai_reply& reply, bool streamed, const std::function<std::string()>& content);

private:
    [[nodiscard]] json message() const;
    [[nodiscard]] json whole() const;
    [[nodiscard]] std::string events() const;
    [[nodiscard]] json call_delta(std::size_t index, const std::string& arguments, bool first) const;

    const openai_reply& reply_;
    const json& request_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
