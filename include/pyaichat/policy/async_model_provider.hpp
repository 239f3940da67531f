#pragma once
#include <pyaichat/core/detail/reply_once.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
struct model_reply_terms {
    static constexpr const char* twice = "a provider answered one attempt twice";
    [[nodiscard]] static result<model_response> when_dropped() {
        return failure{.code = errc::invalid_state,
                       .message = "the work for the model call was dropped before it gave a result",
                       .hint = "The agent, or what runs its work, is gone, so the model could not be asked."};
    }
};
}  // namespace detail

/// The other end of an attempt at a model call: give it the outcome now or later, from any thread, exactly once. Dropped, it reports that
/// the provider went away. An outcome that comes after the loop has given up is fine and has no effect.
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

/// A provider over an event-driven transport: no thread waits for it.
///
/// `start` is called by the driver on the pumping thread, returns at once, and answers through `responder` later, from any thread. It
/// copies what it needs of the request; sink and token may be copied too. One attempt, no retries, like `model_provider`; may be called
/// again before an earlier attempt has answered. It goes with the last agent or run that has it, perhaps before it has answered: the token
/// was tripped then, and what it has going on must not use it any more. Something thrown by `start` counts as `internal`.
template <class P>
concept async_model_provider = std::move_constructible<P> && detail::starts<P>;

/// What an agent takes: a provider of either form.
template <class P>
concept any_model_provider = model_provider<P> || async_model_provider<P>;

/// Whether a provider is to be asked by `start`, on the pumping thread, instead of by `complete` on the executor. One that has both says so
/// itself, by a member of this name.
template <any_model_provider P>
[[nodiscard]] bool is_async(const P& provider) noexcept {
    if constexpr (requires {
                      { provider.is_async() } -> std::same_as<bool>;
                  }) {
        return provider.is_async();
    } else {
        return !model_provider<P>;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
