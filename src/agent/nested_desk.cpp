#include <pyaichat/agent/detail/nested_desk.hpp>

#include <utility>

namespace pyaichat::inline v0::detail {

namespace {

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
    {
        const std::lock_guard lock(mutex_);
        if (!closed_) {
            waiting_.emplace(++last_, std::move(waiting));
            return last_;
        }
    }
    tell(waiting, over());
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

}  // namespace pyaichat::inline v0::detail
