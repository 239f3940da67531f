#pragma once
#include <pyaichat/policy/async_http_transport.hpp>
#include <pyaichat/policy/detail/policy_wrapper.hpp>
#include <pyaichat/policy/event_loop.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Holds a transport of any type, blocking, asynchronous or both, and satisfies both concepts. Copies share the transport. Do not use a
/// moved-from object.
class any_http_transport {
public:
    // Asks for the members only: a transport that is made of an any_http_transport, asked whether it can be moved, would ask this
    // constructor.
    template <class T>
        requires(!std::same_as<std::remove_cvref_t<T>, any_http_transport> &&
                 (detail::sends<std::remove_cvref_t<T>> || detail::starts_exchanges<std::remove_cvref_t<T>>))
    any_http_transport(T&& transport) : self_(std::make_shared<model<std::remove_cvref_t<T>>>(std::forward<T>(transport))) {
        static_assert(detail::can_store<T>());
    }

    /// See `http_transport`. With a transport that is only asynchronous, they wait for the outcome.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel) const;
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) const;

    /// Returns whether the transport has `start`. One that has `send` and `stream` too decides by a member `bool is_async() const`.
    [[nodiscard]] bool is_async() const noexcept { return self_->is_async(); }
    /// See `async_http_transport`. Blocks until the exchange has finished if the transport is only blocking.
    void start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) const;
    /// See `event_loop`. Null if the transport is not asynchronous.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const { return self_->is_async() ? self_->loop() : nullptr; }

    /// Runs an exchange and blocks until it has finished. The transport calls it on this thread if it is blocking.
    void perform(http_exchange& exchange, const cancel_token& cancel) const;

private:
    struct concept_ {
        virtual ~concept_() = default;
        [[nodiscard]] virtual bool is_async() const noexcept = 0;
        [[nodiscard]] virtual bool is_blocking() const noexcept = 0;
        [[nodiscard]] virtual std::shared_ptr<event_loop> loop() const = 0;
        /// With a sink, streams to it. Only for a blocking transport.
        virtual result<http_response> exchange(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) = 0;
        /// Only for an asynchronous transport.
        virtual void start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) = 0;
    };
    template <class T>
    struct model final : concept_ {
        template <class U>
        explicit model(U&& transport) : transport_(std::forward<U>(transport)) {}
        [[nodiscard]] bool is_async() const noexcept override {
            if constexpr (async_http_transport<T> && requires { transport_.is_async(); }) {
                return transport_.is_async();
            } else {
                return async_http_transport<T>;
            }
        }
        [[nodiscard]] bool is_blocking() const noexcept override { return http_transport<T>; }
        [[nodiscard]] std::shared_ptr<event_loop> loop() const override { return loop_of(transport_); }
        result<http_response> exchange(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) override {
            if constexpr (http_transport<T>) {
                return sink != nullptr ? transport_.stream(request, *sink, cancel) : transport_.send(request, cancel);
            } else {
                return failure();
            }
        }
        void start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel) override {
            if constexpr (async_http_transport<T>) {
                transport_.start(std::move(exchange), cancel);
            }
        }
        T transport_;
    };

    [[nodiscard]] result<http_response> exchange(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) const;

    std::shared_ptr<concept_> self_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
