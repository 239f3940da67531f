#pragma once
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/event_loop.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
/// Calls `start` and blocks until its outcome arrives or the token is cancelled. Later deltas and outcomes are dropped. Runs `loop`
/// meanwhile, if it is not null and this thread may.
[[nodiscard]] result<model_response> wait_for_reply(unique_function<void(const delta_sink&, model_reply)> start, const delta_sink& sink,
                                                    const cancel_token& cancel, std::shared_ptr<event_loop> loop = nullptr);

/// Returns true. Does not compile if `P` is not a provider.
template <class P>
constexpr bool is_provider() noexcept {
    static_assert(any_model_provider<P>,
                  "a provider has `result<model_response> complete(const model_request&, const delta_sink&, const cancel_token&)`, or "
                  "`void start(const model_request&, const delta_sink&, const cancel_token&, model_reply)`; pass a provider that cannot be "
                  "moved, or that a pointer owns, as pyaichat::borrow(provider)");
    return true;
}
}  // namespace detail

/// Holds a provider of any type, blocking or asynchronous, and satisfies both concepts. `is_async` returns the native form. `start` blocks
/// if the provider is blocking; `complete` waits for the outcome if the provider is asynchronous. Copies share the provider.
class any_provider {
public:
    any_provider() : any_provider(no_provider{}) {}  ///< every attempt fails with `unavailable`

    // Tests the members before the concept. Otherwise a tuple of providers, asked whether it can be moved, would ask this constructor.
    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, any_provider> &&
                 (detail::completes<std::remove_cvref_t<P>> || detail::starts<std::remove_cvref_t<P>>) &&
                 any_model_provider<std::remove_cvref_t<P>>)
    any_provider(P&& provider) : self_(std::make_shared<model<std::remove_cvref_t<P>>>(std::forward<P>(provider))) {
        static_assert(detail::can_store<P>());
    }

    /// See `model_provider`, `async_model_provider`, `is_async`, `loop_of`, `is_lent` and the functions `takes_answer_schema` and
    /// `tells_cost`.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
        return self_->complete(request, sink, cancel);
    }
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply responder) {
        self_->start(request, sink, cancel, std::move(responder));
    }
    [[nodiscard]] bool is_async() const noexcept { return self_->is_async(); }
    [[nodiscard]] std::shared_ptr<event_loop> loop() const { return self_->loop(); }
    [[nodiscard]] bool lent() const noexcept { return self_->lent(); }
    [[nodiscard]] bool takes_answer_schema(const json& schema) const { return std::as_const(*self_).takes_answer_schema(schema); }
    [[nodiscard]] bool tells_cost() const noexcept { return std::as_const(*self_).tells_cost(); }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual result<model_response> complete(const model_request&, const delta_sink&, const cancel_token&) = 0;
        virtual void start(const model_request&, const delta_sink&, const cancel_token&, model_reply) = 0;
        [[nodiscard]] virtual bool is_async() const noexcept = 0;
        [[nodiscard]] virtual std::shared_ptr<event_loop> loop() const = 0;
        [[nodiscard]] virtual bool lent() const noexcept = 0;
        [[nodiscard]] virtual bool takes_answer_schema(const json&) const = 0;
        [[nodiscard]] virtual bool tells_cost() const noexcept = 0;
    };
    template <class P>
    struct model final : concept_ {
        template <class T>
        explicit model(T&& value) : value_(std::forward<T>(value)) {}
        result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) override {
            if constexpr (model_provider<P>) {
                return value_.complete(request, sink, cancel);
            } else {
                return detail::wait_for_reply(
                    [&](const delta_sink& shown, model_reply responder) { value_.start(request, shown, cancel, std::move(responder)); },
                    sink, cancel, loop_of(value_));
            }
        }
        void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply responder) override {
            if constexpr (async_model_provider<P>) {
                value_.start(request, sink, cancel, std::move(responder));
            } else {
                responder(value_.complete(request, sink, cancel));
            }
        }
        [[nodiscard]] bool is_async() const noexcept override { return pyaichat::is_async(value_); }
        [[nodiscard]] std::shared_ptr<event_loop> loop() const override { return loop_of(value_); }
        [[nodiscard]] bool lent() const noexcept override { return is_lent(value_); }
        [[nodiscard]] bool takes_answer_schema(const json& schema) const override { return pyaichat::takes_answer_schema(value_, schema); }
        [[nodiscard]] bool tells_cost() const noexcept override { return pyaichat::tells_cost(value_); }
        P value_;
    };

    std::shared_ptr<concept_> self_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
