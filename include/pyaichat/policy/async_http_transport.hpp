#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// One exchange with an `async_http_transport`: makes the request and takes the response. The transport calls the members one at a time, on
/// any of its threads, and never from within `start`. They must not block.
class http_exchange {
public:
    http_exchange() = default;
    http_exchange(const http_exchange&) = delete;
    http_exchange& operator=(const http_exchange&) = delete;
    virtual ~http_exchange() = default;

    /// Makes the request. Called once, first, unless the exchange has been cancelled before. A failure is passed to `finish`.
    /// `http_request::timeout` counts from the call of `start`.
    [[nodiscard]] virtual result<http_request> request() = 0;
    /// Returns whether the body of a 2xx response goes to `take` as it arrives. Otherwise `finish` gets it whole.
    [[nodiscard]] virtual bool streams() const noexcept = 0;
    /// Takes the next piece of the decoded body. Returns false to stop the exchange.
    [[nodiscard]] virtual bool take(std::string_view piece) = 0;
    /// Takes the outcome, as `http_transport` returns it. Called exactly once, last; the exchange is destroyed afterwards.
    virtual void finish(result<http_response> outcome) = 0;
};

namespace detail {
template <class T>
concept starts_exchanges = requires(T& transport, std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) {
    { transport.start(std::move(exchange), cancel) } -> std::same_as<void>;
};
}  // namespace detail

/// Sends HTTP requests without a thread for each.
///
/// `start` returns at once and may be called on any thread. It never fails: the outcome goes to `http_exchange::finish`, within 50 ms after
/// a cancellation. If the transport is destroyed, its exchanges finish with `cancelled`. Otherwise the promises of `http_transport` hold.
///
/// A transport may have a member `std::shared_ptr<event_loop> loop() const`: then `run::wait` runs its loop instead of sleeping.
template <class T>
concept async_http_transport = std::move_constructible<T> && detail::starts_exchanges<T>;

}  // namespace pyaichat::inline PYAICHAT_ABI
