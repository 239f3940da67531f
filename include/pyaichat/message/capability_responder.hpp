#pragma once
#include <pyaichat/core/detail/reply_once.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
struct capability_terms {
    static constexpr const char* twice = "a capability answered twice";
    [[nodiscard]] static capability_reply when_dropped() {
        return reply_error(reply_code::abandoned, "the capability went away without answering; do not count on its having run");
    }
};
}  // namespace detail

/// The other end of a call: answer it now or later, from any thread, exactly once. Dropped unanswered, it replies `abandoned`. Answering a
/// call that has timed out meanwhile is fine and has no effect. Answering twice breaks the contract.
class capability_responder : public detail::reply_once<capability_reply, detail::capability_terms> {
    using base = detail::reply_once<capability_reply, detail::capability_terms>;

public:
    using output_receiver = std::function<void(std::string_view)>;

    capability_responder() = default;
    explicit capability_responder(receiver receive, output_receiver show = {}) : base(std::move(receive)), show_(std::move(show)) {}

    using base::operator();
    void operator()(result<json> outcome) { (*this)(to_reply(std::move(outcome))); }

    /// Shows what a call that is still running has put out: the event `call_output`. Pieces that pile up are joined; what one call shows
    /// beyond 64 MiB, with some hundred bytes more for each piece, is left out. Not part of the reply. Any thread; nothing once answered.
    void output(std::string_view text) const {
        if (*this && show_) {
            show_(text);
        }
    }

private:
    output_receiver show_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
