#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/service_refusal.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A response that the service has written, with the request that it belongs to. Its thinking blocks are bound to that request.
struct anthropic_written_response {
    json request = {};
    json content = {};
};

/// The state of the emulated service: key, models and written responses.
struct anthropic_service {
    std::string api_key = "test-key";
    std::vector<std::string> models = {"claude-haiku-5-5"};
    std::vector<std::string> versions = {"2023-06-01", "2026-10-21"};
    bool binds_thinking = true;  ///< like Claude 5.5: a thinking block is valid only after what preceded it
    std::vector<anthropic_written_response> written = {};
};

/// Validates a request as the service does, without a socket. Returns the refusal, or nothing if the request is valid. Checks in this
/// order: path and method, headers, JSON, members and types, model, tools, messages, thinking blocks. The messages are the service's own
/// where they are known. `target` is the path with the query: `/v1/messages`.
[[nodiscard]] std::optional<service_refusal> check_anthropic_request(std::string_view method, std::string_view target,
                                                                     const std::vector<http_header>& headers, std::string_view body,
                                                                     const anthropic_service& service = {});

/// Makes the body of an error response: `{"type": "error", "error": {type, message, details}, "request_id"}`. Null details are left out.
[[nodiscard]] json anthropic_error_body(std::string_view type, std::string_view message, json details = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
