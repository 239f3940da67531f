#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <concepts>
#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Takes the deltas that a provider streams, and shows them as events. Thread-safe until `complete` returns, or `start` replies. A default
/// object drops the deltas. Each piece is one event; if hundreds wait for the next `pump`, they are joined. Deltas over 64 MiB per attempt
/// are dropped (each piece counts some hundred bytes more). The response is not affected.
class delta_sink {
public:
    enum class kind : unsigned char { text, thought, restart };
    using receiver = std::function<void(kind, std::string_view)>;

    delta_sink() = default;
    /// `receive` gets all deltas, on the thread that uses the sink.
    explicit delta_sink(receiver receive) : receive_(std::move(receive)) {}

    /// Shows a piece of the answer.
    void text(std::string_view piece) const { (*this)(kind::text, piece); }
    /// Shows a piece of a thought summary.
    void thought(std::string_view piece) const { (*this)(kind::thought, piece); }
    /// Withdraws all deltas of this attempt.
    void restart() const { (*this)(kind::restart, {}); }
    /// Forwards a delta from another sink.
    void operator()(kind what, std::string_view piece) const {
        if (receive_) {
            receive_(what, piece);
        }
    }

private:
    receiver receive_;
};

namespace detail {
template <class P>
concept completes = requires(P& provider, const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    { provider.complete(request, sink, cancel) } -> std::same_as<result<model_response>>;
};
}  // namespace detail

/// Sends a request to a model and returns the response. Makes one attempt: the loop retries, by `failure::code` and `failure::retry_after`.
///
/// The driver calls `complete` on the executor, for several runs at once: it must be thread-safe. It may block, for at most
/// `request.time_left`. After a cancellation it should return soon, with any result; the run does not wait for it. If it throws, the
/// attempt fails with `internal`.
template <class P>
concept model_provider = std::move_constructible<P> && detail::completes<P>;

/// Returns whether a provider is borrowed or contains a borrowed provider, so that the destructor of an agent must wait for it. A provider
/// that contains others reports this by a member `bool lent() const`.
template <class P>
[[nodiscard]] bool is_lent(const P& provider) noexcept {
    if constexpr (requires { provider.lent(); }) {
        return provider.lent();
    } else {
        return false;
    }
}

/// Returns whether a provider sends this schema as `model_request::answer_schema`, so that its service holds the text of the answer to it.
/// A provider says so by a member `bool takes_answer_schema(const json&) const`, which must be thread-safe. For the others, the model
/// gives the answer as the arguments of a function.
template <class P>
[[nodiscard]] bool takes_answer_schema(const P& provider, const json& schema) {
    if constexpr (requires { provider.takes_answer_schema(schema); }) {
        return provider.takes_answer_schema(schema);
    } else {
        return false;
    }
}

/// Returns whether a provider sets `model_response::cost` in its responses. A provider says so by a member
/// `bool tells_cost() const noexcept`. `limits::max_cost` is refused with the others.
template <class P>
[[nodiscard]] bool tells_cost(const P& provider) noexcept {
    if constexpr (requires { provider.tells_cost(); }) {
        return provider.tells_cost();
    } else {
        return false;
    }
}

/// The null provider: every attempt fails with `unavailable`.
struct no_provider {
    [[nodiscard]] result<model_response> complete(const model_request&, const delta_sink&, const cancel_token&) const {
        return failure{.code = errc::unavailable, .message = "no provider is set", .hint = "Give the agent a provider."};
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
