#include "agent/driver/mailbox.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// So many items wait one by one, and so many calls for a reply: whoever asks for more than the run is pumped to do must not make its next
/// pump, or its end, long.
constexpr std::size_t crowded = 256;
constexpr std::size_t most_streams = 4;                    ///< that show things at the same time: text, thoughts, output
constexpr std::size_t longest_joined = 16'384;             ///< in bytes
constexpr std::size_t most_shown = std::size_t{64} << 20;  ///< by one attempt or call: as much as a response may have

using kind = input::model_delta::kind;

/// A piece of what an attempt or a call shows. `text` is null when an input is no such piece.
struct piece {
    std::string* text = nullptr;
    std::uint64_t number = 0;
    kind what = kind::text;
    bool printed = false;

    [[nodiscard]] bool continues(const piece& before) const {
        return before.text != nullptr && before.number == number && before.what == what && before.printed == printed;
    }
};

piece piece_of(machine_input& in) {
    if (auto* shown = std::get_if<input::model_delta>(&in)) {
        return {.text = &shown->text, .number = shown->attempt, .what = shown->what};
    }
    auto* printed = std::get_if<input::call_output>(&in);
    return printed != nullptr ? piece{.text = &printed->text, .number = printed->call, .printed = true} : piece();
}

piece piece_of(mailbox::item& one) {
    auto* in = std::get_if<machine_input>(&one);
    return in != nullptr ? piece_of(*in) : piece();
}

/// Whoever waits is foreign code, and what it throws ends here.
void tell(capability_responder& waiting, capability_reply reply) {
    guarded([&] { waiting(std::move(reply)); }, [](std::string_view) {});
}

capability_reply run_is_over() {
    return reply_error(reply_code::cancelled, "the run is over");
}

}  // namespace

/// Whether what has come needs no place of its own: it is of an earlier attempt or call, more than is worth the memory, or part of another.
bool mailbox::absorb(machine_input& in) {
    const piece shown = piece_of(in);
    if (shown.text == nullptr) {
        return false;
    }
    shower& by = shown.printed ? call_ : model_;
    if (shown.number > by.number) {
        by = {.number = shown.number};
    }
    if (shown.number < by.number || by.bytes > most_shown) {
        return true;
    }
    by.bytes += shown.text->size() + sizeof(item);
    if (shown.what == kind::restart) {
        // Pieces that were not even taken need not be withdrawn.
        const auto last = [&] { return arrived_.empty() ? piece() : piece_of(arrived_.back()); };
        for (piece at = last(); arrived_.size() >= crowded && !at.printed && at.number == shown.number && !shown.continues(at);
             at = last()) {
            arrived_.pop_back();
        }
        return shown.continues(last());
    }
    const std::size_t looked_at = arrived_.size() < crowded ? 0 : most_streams;
    for (auto last = arrived_.rbegin(); last != arrived_.rbegin() + looked_at; ++last) {
        const piece before = piece_of(*last);
        if (before.text == nullptr || before.what == kind::restart) {
            return false;  // pieces stay in front of what came behind them
        }
        if (shown.continues(before)) {
            const bool fits = before.text->size() + shown.text->size() <= longest_joined;
            *before.text += fits ? *shown.text : std::string();
            return fits;
        }
    }
    return false;
}

void mailbox::post(item one) {
    {
        const std::lock_guard lock(mutex_);
        auto* in = std::get_if<machine_input>(&one);
        if (closed_ || (in != nullptr && absorb(*in))) {
            return;
        }
        arrived_.push_back(std::move(one));
        news_ = true;
    }
    came_.notify_one();
}

// Nobody is answered and nothing is stopped under the lock: that calls foreign code, which may come back at once.

std::uint64_t mailbox::enlist(capability_responder waiting) {
    capability_reply why = run_is_over();
    {
        const std::lock_guard lock(mutex_);
        if (!closed_ && waiting_.size() < crowded) {
            waiting_.emplace(++last_ticket_, std::move(waiting));
            return last_ticket_;
        }
        if (!closed_) {
            why = reply_error(reply_code::limit, std::to_string(crowded) + " calls of this run wait already; wait for one of them");
        }
    }
    tell(waiting, std::move(why));
    return 0;
}

void mailbox::answer(std::uint64_t ticket, capability_reply reply) {
    std::unique_lock lock(mutex_);
    if (auto waiting = waiting_.extract(ticket)) {
        lock.unlock();
        tell(waiting.mapped(), std::move(reply));
    }
}

void mailbox::cancel() {
    cancel_source work(std::nostopstate);
    {
        const std::lock_guard lock(mutex_);
        if (closed_ || std::exchange(cancelled_, true)) {
            return;
        }
        news_ = true;
        work = open_;
    }
    came_.notify_one();
    work.request_stop();
}

bool mailbox::take_cancel() {
    if (!news_) {
        return false;
    }
    const std::lock_guard lock(mutex_);
    return cancelled_ && !std::exchange(cancel_taken_, true);
}

std::optional<mailbox::item> mailbox::take() {
    if (next_ == taken_.size()) {
        taken_.clear();
        next_ = 0;
        if (!news_) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        taken_.swap(arrived_);
        news_ = cancelled_ && !cancel_taken_;
        if (taken_.empty()) {
            return std::nullopt;
        }
    }
    return std::move(taken_[next_++]);
}

void mailbox::wait(duration span) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, bounded_wait(span), [&] { return has_news(); });
}

void mailbox::opened(cancel_source work) {
    {
        const std::lock_guard lock(mutex_);
        if (!cancelled_ && !closed_) {
            open_ = std::move(work);
            return;
        }
    }
    work.request_stop();
}

void mailbox::close() {
    cancel_source work(std::nostopstate);
    std::vector<item> dropped;
    std::map<std::uint64_t, capability_responder> left;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        dropped.swap(arrived_);
        left.swap(waiting_);
        work = std::exchange(open_, cancel_source(std::nostopstate));
    }
    work.request_stop();
    const std::vector<item> unread = std::exchange(taken_, {});
    next_ = 0;
    for (auto& [ticket, waiting] : left) {
        tell(waiting, run_is_over());
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
