#pragma once
#include <pyaichat/core/detail/reply_once.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
struct model_reply_terms {
    static constexpr const char* twice = "a provider replied twice to the same attempt";
    [[nodiscard]] static result<model_response> when_dropped() {
        return failure{.code = errc::invalid_state,
                       .message = "the attempt was dropped before it had an outcome",
                       .hint = "The agent, its provider or its executor was destroyed before the model responded."};
    }
};
}  // namespace detail

/// A callback that takes the outcome of one attempt. Call it exactly once, now or later, on any thread. If it is destroyed before that, the
/// attempt fails with `invalid_state`. An outcome that arrives after the deadline or a cancellation has no effect.
class model_reply : public detail::reply_once<result<model_response>, detail::model_reply_terms> {
public:
    using detail::reply_once<result<model_response>, detail::model_reply_terms>::reply_once;
};

namespace detail {
template <class P>
concept starts =
    requires(P& provider, const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
        { provider.start(request, sink, cancel, std::move(reply)) } -> std::same_as<void>;
    };
}  // namespace detail

/// A provider over an event-driven transport, which needs no thread per attempt.
///
/// The driver calls `start` on the pumping thread. `start` begins one attempt, without retries, and returns at once. The outcome goes to
/// `reply` later, on any thread. The arguments are valid during the call; copy the request, sink and token if needed. `start` may be called
/// again before an earlier attempt has ended. If `start` throws, the attempt fails with `internal`.
///
/// The provider may be destroyed, with the last agent or run that holds it, while attempts are in flight. The token is cancelled before
/// that, and the attempts must not use the provider any more.
template <class P>
concept async_model_provider = std::move_constructible<P> && detail::starts<P>;

/// A provider of either form, as an agent takes it.
template <class P>
concept any_model_provider = model_provider<P> || async_model_provider<P>;

/// Returns whether the driver calls `start`, not `complete`. A provider that has both decides by a member `bool is_async() const`.
template <any_model_provider P>
[[nodiscard]] bool is_async(const P& provider) noexcept {
    if constexpr (requires { provider.is_async(); }) {
        return provider.is_async();
    } else {
        return !model_provider<P>;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
