#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Holds an `http_transport` of any type, and satisfies the concept. Copies share the transport. Do not use a moved-from object.
class any_http_transport {
public:
    template <class T>
        requires(!std::same_as<std::remove_cvref_t<T>, any_http_transport> && http_transport<std::remove_cvref_t<T>>)
    any_http_transport(T&& transport) {
        exchange_ = [shared = std::make_shared<std::remove_cvref_t<T>>(std::forward<T>(transport))](
                        const http_request& request, const http_body_sink* sink, const cancel_token& cancel) {
            return sink != nullptr ? shared->stream(request, *sink, cancel) : shared->send(request, cancel);
        };
    }

    /// See `http_transport`.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel) const {
        return exchange_(request, nullptr, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) const {
        return exchange_(request, &sink, cancel);
    }

private:
    std::function<result<http_response>(const http_request&, const http_body_sink*, const cancel_token&)> exchange_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
