#pragma once
#include "net/service_access.hpp"

#include <pyaichat/policy/any_http_transport.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Sends a request and blocks until its response is read, which must be a JSON document. `service` has the functions `options`, `refusal`
/// and `read_body`.
template <class Service>
[[nodiscard]] result<json> exchange(const Service& service, const any_http_transport& transport, const result<http_request>& wire,
                                    const cancel_token& cancel) {
    if (!wire) {
        return wire.error();
    }
    result<http_response> response = transport.send(*wire, cancel);
    if (!response) {
        return without_connection(std::move(response.error()), service.options().api_key);
    }
    if (response->status != 200) {
        return service.refusal(*response);
    }
    json_budget budget;
    return service.read_body(response->body, budget);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
