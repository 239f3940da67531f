#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <concepts>
#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Where a provider shows what it has so far. May be used on any thread until `complete` returns; a default one swallows everything.
/// Each piece is an event of its own, unless hundreds pile up before the run is pumped: then they are joined.
/// What one attempt shows beyond 64 MiB, with some hundred bytes more for each piece, is not shown; its response is not touched by that.
class delta_sink {
public:
    enum class kind : unsigned char { text, thought, restart };
    using receiver = std::function<void(kind, std::string_view)>;

    delta_sink() = default;
    explicit delta_sink(receiver receive) : receive_(std::move(receive)) {}

    void text(std::string_view piece) const { (*this)(kind::text, piece); }
    void thought(std::string_view piece) const { (*this)(kind::thought, piece); }
    /// Withdraws everything that this attempt has shown.
    void restart() const { (*this)(kind::restart, {}); }
    /// Passes on what another sink was given.
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

/// Turns a request into a response: one attempt, no retries (only the loop retries, by the failure's code and `retry_after`).
///
/// Called by the driver on the executor, never on the pumping thread (unless the executor is `inline_executor`), possibly for several
/// runs at once: it must be safe to call concurrently. It may block. When the token is tripped nobody waits for it any more: return soon,
/// with whatever; a provider that does not is abandoned, not waited for. `request.time_left` bounds the attempt from its start. Failing: a
/// `failure` whose code the loop understands; something thrown counts as `internal`.
template <class P>
concept model_provider = std::move_constructible<P> && detail::completes<P>;

/// Whether a provider, or one inside of it, belongs to somebody else, so that an agent has to wait for it. One that holds others says so by
/// a member `lent`.
template <class P>
[[nodiscard]] bool is_lent(const P& provider) noexcept {
    if constexpr (requires {
                      { provider.lent() } -> std::same_as<bool>;
                  }) {
        return provider.lent();
    } else {
        return false;
    }
}

/// The null model: every attempt fails, clearly.
struct no_provider {
    [[nodiscard]] result<model_response> complete(const model_request&, const delta_sink&, const cancel_token&) const {
        return failure{.code = errc::unavailable, .message = "no provider is set", .hint = "Give the agent a provider."};
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
