#include "agent/driver/mailbox.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Above this number of waiting items, pieces of text are joined; above this number of waiting calls, a call is rejected. Otherwise the
/// next `pump`, or the end of the run, could take long.
constexpr std::size_t crowded = 256;
constexpr std::ptrdiff_t most_streams = 4;                 ///< interleaved streams: text, thoughts, output
constexpr std::size_t longest_joined = 16'384;             ///< in bytes
constexpr std::size_t most_shown = std::size_t{64} << 20;  ///< in bytes, per attempt or call: the limit of a response

using kind = input::model_delta::kind;

/// A piece of the text of an attempt or a call. `text` is null if the input is not such a piece.
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

piece piece_of(mailbox::item& value) {
    auto* in = std::get_if<machine_input>(&value);
    return in != nullptr ? piece_of(*in) : piece();
}

/// Passes a reply to a waiting responder, which is foreign code: catches its exceptions.
void tell(capability_responder& waiting, capability_reply reply) {
    guarded([&] { waiting(std::move(reply)); }, [](std::string_view) {});
}

capability_reply run_is_over() {
    return reply_error(reply_code::cancelled, "the run is over");
}

}  // namespace

/// Returns true if an input needs no item: it is obsolete, exceeds the limit, or was joined with an earlier item.
bool mailbox::absorb(machine_input& in) {
    const piece shown = piece_of(in);
    if (shown.text == nullptr) {
        return false;
    }
    output_source& source = shown.printed ? call_ : model_;
    if (shown.number > source.number && !shown.printed) {
        source = {.number = shown.number};
    }
    if (shown.number < source.number || source.bytes > most_shown) {
        return true;
    }
    source.bytes += shown.text->size() + sizeof(item);
    if (shown.what == kind::restart) {
        // Drops the pieces that the run has not taken yet, instead of withdrawing them.
        const auto last = [&] { return arrived_.empty() ? piece() : piece_of(arrived_.back()); };
        for (piece at = last(); arrived_.size() >= crowded && !at.printed && at.number == shown.number && !shown.continues(at);
             at = last()) {
            arrived_.pop_back();
        }
        return shown.continues(last());
    }
    const std::ptrdiff_t looked_at = arrived_.size() < crowded ? 0 : most_streams;
    for (auto last = arrived_.rbegin(); last != arrived_.rbegin() + looked_at; ++last) {
        const piece before = piece_of(*last);
        if (before.text == nullptr || before.what == kind::restart) {
            return false;  // a piece must not overtake another item
        }
        if (shown.continues(before)) {
            const bool fits = before.text->size() + shown.text->size() <= longest_joined;
            *before.text += fits ? *shown.text : std::string();
            return fits;
        }
    }
    return false;
}

void mailbox::post(item value) {
    std::unique_lock lock = room_.lock();
    auto* in = std::get_if<machine_input>(&value);
    if (closed_ || (in != nullptr && absorb(*in))) {
        return;
    }
    arrived_.push_back(std::move(value));
    news_ = true;
    room_.wake(std::move(lock));
}

// Responders and stop callbacks are foreign code and may reenter the mailbox, so they are called without the lock.

std::uint64_t mailbox::enlist(capability_responder waiting) {
    capability_reply why = run_is_over();
    {
        const auto lock = room_.lock();
        if (!closed_ && waiting_.size() < crowded) {
            waiting_.emplace(++last_ticket_, std::move(waiting));
            return last_ticket_;
        }
        if (!closed_) {
            why = reply_error(reply_code::limit, std::to_string(crowded) + " calls of this run are already waiting; wait for one of them");
        }
    }
    tell(waiting, std::move(why));
    return 0;
}

void mailbox::answer(std::uint64_t ticket, capability_reply reply) {
    std::unique_lock lock = room_.lock();
    if (auto waiting = waiting_.extract(ticket)) {
        lock.unlock();
        tell(waiting.mapped(), std::move(reply));
    }
}

void mailbox::cancel() {
    std::unique_lock lock = room_.lock();
    if (closed_ || std::exchange(cancelled_, true)) {
        return;
    }
    news_ = true;
    const cancel_source work = open_;
    room_.wake(std::move(lock));
    work.request_stop();
}

bool mailbox::take_cancel() {
    if (!news_) {
        return false;
    }
    const auto lock = room_.lock();
    return cancelled_ && !std::exchange(cancel_taken_, true);
}

std::optional<mailbox::item> mailbox::take() {
    if (next_ == taken_.size()) {
        taken_.clear();
        next_ = 0;
        if (!news_) {
            return std::nullopt;
        }
        const auto lock = room_.lock();
        taken_.swap(arrived_);
        news_ = cancelled_ && !cancel_taken_;
        if (taken_.empty()) {
            return std::nullopt;
        }
    }
    return std::move(taken_[next_++]);
}

void mailbox::wait(duration span, loop_claim& claim) {
    std::unique_lock lock = room_.lock();
    room_.wait(lock, span, claim, [&] { return has_news(); });
}

void mailbox::opened(cancel_source work, std::uint64_t first_call) {
    {
        const auto lock = room_.lock();
        if (first_call != 0) {
            call_ = {.number = first_call};
        }
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
        const auto lock = room_.lock();
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
