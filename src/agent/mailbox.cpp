#include <pyaichat/agent/detail/mailbox.hpp>

#include <utility>

namespace pyaichat::inline v0::detail {

namespace {

/// So many pieces wait one by one. Whoever shows more than the run is pumped to see must not make its next pump, or its end, long.
constexpr std::size_t crowded = 256;
constexpr std::size_t longest_joined = 65'536;  ///< in bytes

/// Puts `next` behind the text of `last` when both are pieces of the same.
bool join(mailbox::item& last, const mailbox::item& next) {
    const auto append = [](std::string& to, const std::string& text) {
        if (to.size() + text.size() > longest_joined) {
            return false;
        }
        to += text;
        return true;
    };
    auto* before = std::get_if<machine_input>(&last);
    const auto* after = std::get_if<machine_input>(&next);
    if (before == nullptr || after == nullptr) {
        return false;
    }
    if (auto* shown = std::get_if<input::model_delta>(before)) {
        const auto* more = std::get_if<input::model_delta>(after);
        return more != nullptr && more->attempt == shown->attempt && more->what == shown->what &&
               more->what != input::model_delta::kind::restart && append(shown->text, more->text);
    }
    auto* printed = std::get_if<input::call_output>(before);
    const auto* more = std::get_if<input::call_output>(after);
    return printed != nullptr && more != nullptr && more->call == printed->call && append(printed->text, more->text);
}

}  // namespace

void mailbox::post(item one) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) {
            return;
        }
        if (items_.size() - taken_ < crowded || !join(items_.back(), one)) {
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
