#pragma once
#include <pyaichat/core/detail/reply_once.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
struct capability_terms {
    static constexpr const char* twice = "a capability replied twice";
    [[nodiscard]] static capability_reply when_dropped() {
        return reply_error(reply_code::abandoned, "the capability was dropped without a reply; it may have run or not");
    }
};
}  // namespace detail

/// A callback that takes the reply to one call. Call it exactly once, now or later, on any thread; a second call violates the contract. If
/// it is destroyed before that, the reply is `abandoned`. A reply after the timeout of the call has no effect.
class capability_responder : public detail::reply_once<capability_reply, detail::capability_terms> {
    using base = detail::reply_once<capability_reply, detail::capability_terms>;

public:
    using output_receiver = std::function<void(std::string_view)>;

    capability_responder() = default;
    /// `receive` gets the reply, `show` the output of the running call. Both are called on the thread that uses the responder.
    explicit capability_responder(receiver receive, output_receiver show = {}) : base(std::move(receive)), show_(std::move(show)) {}

    using base::operator();
    /// Replies with `to_reply(outcome)`.
    void operator()(result<json> outcome) { (*this)(to_reply(std::move(outcome))); }

    /// Shows output of the call while it is running, as the event `call_output`. The output is not part of the reply. Pieces that wait for
    /// delivery may be joined. Output over 64 MiB per call, or per group of calls that run beside each other, is dropped (each piece counts
    /// some hundred bytes more). Thread-safe; has no effect after the reply.
    void output(std::string_view text) const {
        if (*this && show_) {
            show_(text);
        }
    }

private:
    output_receiver show_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
