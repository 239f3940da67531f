#pragma once
#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/testing/openai_reply.hpp>

#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Renders a reply to a request of the Responses API. `number` makes the ids of the response and of its items unique.
class response_renderer {
public:
    response_renderer(const openai_reply& reply, const json& request, std::size_t number)
        : reply_(reply), request_(request), number_(std::to_string(number)) {}

    [[nodiscard]] loopback_reply wire() const;

    [[nodiscard]] std::string id() const { return "resp_" + number_; }
    /// Whether the reply is a response, and not an error or another body.
    [[nodiscard]] bool has_output() const;
    /// The items of the response.
    [[nodiscard]] json output() const;

private:
    [[nodiscard]] json reasoning_item(const std::string& id) const;
    [[nodiscard]] json message_item(const std::string& id) const;
    [[nodiscard]] json response(const char* status) const;
    [[nodiscard]] json finished() const;
    [[nodiscard]] std::string events() const;

    const openai_reply& reply_;
    const json& request_;
    std::string number_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
