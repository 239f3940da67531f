#include "shell/exec/live_output.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto piece_interval = 50ms;
constexpr auto progress_interval = 1s;
constexpr std::size_t bytes_per_second = std::size_t{64} << 10;

/// The longest begin of at most `size` bytes that ends neither within a character nor within an escape sequence: what follows would be read
/// as its rest.
std::string_view whole_prefix(std::string_view text, std::size_t size) {
    std::string_view begin = utf8_prefix(text, size);
    if (const std::size_t escape = begin.rfind('\x1B');
        escape != std::string_view::npos && begin.find('m', escape) == std::string_view::npos) {
        begin = begin.substr(0, escape);
    }
    return begin;
}

}  // namespace

void live_output::feed(std::size_t stream, std::string_view bytes, time_point now) {
    filters_[stream].feed(bytes, waiting_);
    limit_waiting();
    if (next_progress_ == time_point::max()) {
        next_progress_ = now + progress_interval;
    }
}

/// Keeps what there is room for. After something was left out, nothing more is kept until the next piece.
void live_output::limit_waiting() {
    if (waiting_.size() > room_ || left_out_ > 0) {
        const std::size_t kept = left_out_ > 0 ? std::min(waiting_.size(), room_) : whole_prefix(waiting_, room_).size();
        left_out_ += waiting_.size() - kept;
        waiting_.resize(kept);
        room_ = kept;
    }
}

live_output::time_point live_output::tick(time_point now) {
    if (now >= next_progress_) {
        for (safe_output& filter : filters_) {
            filter.show_progress(waiting_);
        }
        limit_waiting();
        next_progress_ = time_point::max();
    }
    if (now >= next_piece_) {
        show_waiting(now);
    }
    const bool waits = !waiting_.empty() || left_out_ > 0;
    return std::min(waits ? next_piece_ : time_point::max(), next_progress_);
}

void live_output::show_waiting(time_point now) {
    if (waiting_.empty() && left_out_ == 0) {
        return;
    }
    if (left_out_ > 0) {
        // The style may have been changed in what was left out.
        waiting_ += "\x1B[0m\n[" + std::to_string(left_out_) + " bytes not shown]\n";
    }
    show_(waiting_);
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(std::min<time_point::duration>(now - last_filled_, 10s));
    const std::size_t used = std::min(waiting_.size(), room_);
    room_ = std::min(burst, room_ - used + bytes_per_second * static_cast<std::size_t>(passed.count()) / 1000);
    last_filled_ = now;
    waiting_.clear();
    left_out_ = 0;
    next_piece_ = now + piece_interval;
}

void live_output::finish(time_point now) {
    for (safe_output& filter : filters_) {
        filter.finish(waiting_);
    }
    limit_waiting();
    show_waiting(now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
