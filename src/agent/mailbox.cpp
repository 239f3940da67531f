#include <pyaichat/agent/detail/mailbox.hpp>

#include <utility>

namespace pyaichat::inline v0::detail {

namespace {

/// So many items wait one by one. Whoever shows more than the run is pumped to see must not make its next pump, or its end, long.
constexpr std::size_t crowded = 256;
constexpr std::size_t longest_joined = 16'384;             ///< in bytes
constexpr std::size_t most_shown = std::size_t{64} << 20;  ///< by one attempt or call: as much as a response may have
constexpr std::size_t cost_of_a_piece = 64;                ///< beside its bytes

template <class T>
T* as(mailbox::item& one) {
    auto* in = std::get_if<machine_input>(&one);
    return in != nullptr ? std::get_if<T>(in) : nullptr;
}

bool is_restart(const input::model_delta& piece) {
    return piece.what == input::model_delta::kind::restart;
}

bool append(std::string& to, const std::string& text) {
    if (to.size() + text.size() > longest_joined) {
        return false;
    }
    to += text;
    return true;
}

}  // namespace

/// Counts what is shown; false when it is that of an earlier one, or so much that the rest is not worth the memory.
bool mailbox::shower::may_show(std::uint64_t who, std::size_t size) {
    if (who > number) {
        *this = {.number = who};
    }
    bytes += bytes <= most_shown ? size + cost_of_a_piece : 0;
    return who == number && bytes <= most_shown;
}

/// Whether a piece of a text needs no place of its own.
bool mailbox::absorb(item& one) {
    const auto waiting = [this] { return items_.size() - taken_; };
    if (const auto* printed = as<input::call_output>(one)) {
        if (!call_.may_show(printed->call, printed->text.size())) {
            return true;
        }
        auto* before = waiting() >= crowded ? as<input::call_output>(items_.back()) : nullptr;
        return before != nullptr && before->call == printed->call && append(before->text, printed->text);
    }
    const auto* shown = as<input::model_delta>(one);
    if (shown == nullptr) {
        return false;
    }
    const auto before = [&](std::size_t back) -> input::model_delta* {
        auto* piece = waiting() >= back ? as<input::model_delta>(items_[items_.size() - back]) : nullptr;
        return piece != nullptr && piece->attempt == shown->attempt ? piece : nullptr;
    };
    if (is_restart(*shown)) {
        // What was not even taken need not be withdrawn.
        while (waiting() >= crowded && before(1) != nullptr && !is_restart(*before(1))) {
            items_.pop_back();
        }
        return before(1) != nullptr && is_restart(*before(1));
    }
    if (!model_.may_show(shown->attempt, shown->text.size())) {
        return true;
    }
    // Texts and thoughts may take turns: of two neighbours one is of the same kind.
    for (const std::size_t back : {1, 2}) {
        input::model_delta* piece = waiting() >= crowded ? before(back) : nullptr;
        if (piece == nullptr || is_restart(*piece)) {
            break;
        }
        if (piece->what == shown->what) {
            return append(piece->text, shown->text);
        }
    }
    return false;
}

void mailbox::post(item one) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) {
            return;
        }
        if (!absorb(one)) {
            items_.push_back(std::move(one));
        }
        news_ = true;
    }
    came_.notify_one();
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
    work.request_stop();  // not under the lock: its callbacks are foreign code
}

bool mailbox::take_cancel() {
    if (!news_) {
        return false;
    }
    const std::lock_guard lock(mutex_);
    return cancelled_ && !std::exchange(cancel_taken_, true);
}

std::optional<mailbox::item> mailbox::take() {
    if (!news_) {
        return std::nullopt;
    }
    const std::lock_guard lock(mutex_);
    if (taken_ == items_.size()) {
        news_ = cancelled_ && !cancel_taken_;
        return std::nullopt;
    }
    item oldest = std::move(items_[taken_++]);
    if (2 * taken_ >= items_.size()) {
        items_.erase(items_.begin(),
                     items_.begin() + static_cast<std::ptrdiff_t>(taken_));  // moves no more than were taken
        taken_ = 0;
    }
    return oldest;
}

void mailbox::wait(duration span) {
    // Longer than anybody waits, and short enough for the arithmetic of every condition variable.
    constexpr duration longest = std::chrono::hours(24);
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, span < longest ? span : longest, [&] { return taken_ < items_.size() || (cancelled_ && !cancel_taken_); });
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
    std::vector<item> dropped;  // not under the lock: it may hold anything
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        dropped.swap(items_);
        taken_ = 0;
        work = std::exchange(open_, cancel_source(std::nostopstate));
    }
    work.request_stop();
}

}  // namespace pyaichat::inline v0::detail
