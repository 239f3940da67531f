#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline v0 {

/// The other end of a call: answer it now or later, from any thread, exactly once. Dropped unanswered, it replies `abandoned`.
/// Answering a call that has timed out meanwhile is fine and has no effect. Answering twice breaks the contract.
class capability_responder {
public:
    using receiver = unique_function<void(capability_reply)>;
    using output_receiver = std::function<void(std::string_view)>;

    capability_responder() = default;
    explicit capability_responder(receiver receive, output_receiver show = {}) : receive_(std::move(receive)), show_(std::move(show)) {}
    capability_responder(capability_responder&& other) noexcept
        : receive_(std::exchange(other.receive_, nullptr)), show_(std::exchange(other.show_, nullptr)) {}
    capability_responder& operator=(capability_responder&& other) noexcept {
        if (this != &other) {
            drop();
            receive_ = std::exchange(other.receive_, nullptr);
            show_ = std::exchange(other.show_, nullptr);
        }
        return *this;
    }
    ~capability_responder() { drop(); }

    void operator()(capability_reply reply) {
        PYAICHAT_ASSERT(receive_, "a capability answered twice");
        if (receive_) {
            std::exchange(receive_, nullptr)(std::move(reply));
        }
    }
    void operator()(result<json> outcome) { (*this)(to_reply(std::move(outcome))); }

    /// Shows what a call that is still running has put out: the event `call_output`. Not part of the reply. Any thread; nothing once
    /// answered.
    void output(std::string_view text) const {
        if (receive_ && show_) {
            show_(text);
        }
    }

    /// Whether the answer is still owed.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(receive_); }

private:
    void drop() noexcept {
        if (receive_) {
            (*this)(reply_error(reply_code::abandoned, "the capability went away without answering; do not count on its having run"));
        }
    }

    receiver receive_;
    output_receiver show_;
};

}  // namespace pyaichat::inline v0
