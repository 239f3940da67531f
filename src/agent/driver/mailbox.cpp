#include "agent/driver/mailbox.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// So many items wait one by one. Whoever shows more than the run is pumped to see must not make its next pump, or its end, long.
constexpr std::size_t crowded = 256;
constexpr std::size_t longest_joined = 16'384;             ///< in bytes
constexpr std::size_t most_shown = std::size_t{64} << 20;  ///< by one attempt or call: as much as a response may have

using kind = input::model_delta::kind;

std::string* text_of(machine_input& in) {
    if (auto* shown = std::get_if<input::model_delta>(&in)) {
        return &shown->text;
    }
    auto* printed = std::get_if<input::call_output>(&in);
    return printed != nullptr ? &printed->text : nullptr;
}

}  // namespace

/// Counts what is shown; false when it is that of an earlier one, or so much that the rest is not worth the memory.
bool mailbox::shower::may_show(std::uint64_t who, std::size_t size) {
    if (who < number) {
        return false;
    }
    if (who > number) {
        *this = {.number = who};
    }
    bytes += bytes <= most_shown ? size + sizeof(item) : 0;
    return bytes <= most_shown;
}

/// Puts a piece of a text into the last one of the same stream that waits, when there is a crowd.
bool mailbox::join(stream& of, std::uint64_t who, const std::string& text) {
    if (items_.size() - taken_ >= crowded && of.number == who && of.place >= gone_ + taken_ && of.place < gone_ + items_.size()) {
        std::string& before = *text_of(std::get<machine_input>(items_[of.place - gone_]));
        if (before.size() + text.size() <= longest_joined) {
            before += text;
            return true;
        }
    }
    of = {.number = who, .place = gone_ + items_.size()};
    return false;
}

/// Whether what has come needs no place of its own.
bool mailbox::absorb(const item& one) {
    const auto* in = std::get_if<machine_input>(&one);
    if (const auto* printed = in != nullptr ? std::get_if<input::call_output>(in) : nullptr) {
        return !call_.may_show(printed->call, printed->text.size()) || join(output_, printed->call, printed->text);
    }
    const auto* shown = in != nullptr ? std::get_if<input::model_delta>(in) : nullptr;
    if (shown != nullptr && shown->what != kind::restart) {
        return !model_.may_show(shown->attempt, shown->text.size()) ||
               join(shown->what == kind::text ? text_ : thoughts_, shown->attempt, shown->text);
    }
    text_ = thoughts_ = output_ = {};  // pieces stay in front of what came behind them
    return shown != nullptr && absorb_restart(*shown);
}

/// Pieces that were not even taken need not be withdrawn. Once its attempt may show no more, one restart is enough.
bool mailbox::absorb_restart(const input::model_delta& restart) {
    const auto last = [&]() -> const input::model_delta* {
        const auto* in = taken_ < items_.size() ? std::get_if<machine_input>(&items_.back()) : nullptr;
        const auto* piece = in != nullptr ? std::get_if<input::model_delta>(in) : nullptr;
        return piece != nullptr && piece->attempt == restart.attempt ? piece : nullptr;
    };
    if (restart.attempt < model_.number) {
        return true;
    }
    while (items_.size() - taken_ >= crowded && last() != nullptr && last()->what != kind::restart) {
        items_.pop_back();
    }
    if (last() != nullptr && last()->what == kind::restart) {
        return true;
    }
    return !model_.may_show(restart.attempt, 0) && std::exchange(model_.withdrawn, true);
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
        gone_ += taken_;
        taken_ = 0;
    }
    return oldest;
}

void mailbox::wait(duration span) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, bounded_wait(span), [&] { return taken_ < items_.size() || (cancelled_ && !cancel_taken_); });
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
        gone_ += dropped.size();
        taken_ = 0;
        work = std::exchange(open_, cancel_source(std::nostopstate));
    }
    work.request_stop();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
