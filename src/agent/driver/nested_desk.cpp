#include "agent/driver/nested_desk.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// So many may wait at a time: whoever asks for more than the run is pumped to answer must not make its next pump, or its end, long.
constexpr std::size_t most_waiting = 256;

capability_reply over() {
    return reply_error(reply_code::cancelled, "the run is over");
}

/// Whoever waits is foreign code, and what it throws ends here.
void tell(capability_responder& waiting, capability_reply reply) {
    guarded([&] { waiting(std::move(reply)); }, [](std::string_view) {});
}

}  // namespace

// Nobody is answered under the lock: whoever is told may ask for the next call at once.

std::uint64_t nested_desk::take(capability_responder waiting) {
    capability_reply why = over();
    {
        const std::lock_guard lock(mutex_);
        if (!closed_ && waiting_.size() < most_waiting) {
            waiting_.emplace(++last_, std::move(waiting));
            return last_;
        }
        if (!closed_) {
            why = reply_error(reply_code::limit, std::to_string(most_waiting) + " calls of this run wait already; wait for one of them");
        }
    }
    tell(waiting, std::move(why));
    return 0;
}

void nested_desk::answer(std::uint64_t ticket, capability_reply reply) {
    capability_responder waiting;
    {
        const std::lock_guard lock(mutex_);
        const auto at = waiting_.find(ticket);
        if (at == waiting_.end()) {
            return;
        }
        waiting = std::move(at->second);
        waiting_.erase(at);
    }
    tell(waiting, std::move(reply));
}

void nested_desk::close() {
    std::map<std::uint64_t, capability_responder> left;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        left.swap(waiting_);
    }
    for (auto& [ticket, waiting] : left) {
        tell(waiting, over());
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
