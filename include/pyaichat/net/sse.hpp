#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// One server-sent event. Its views are valid only during the callback.
struct sse_event {
    std::string_view type = "message";  ///< the `event:` line
    std::string_view data = {};         ///< the `data:` lines, joined by line feeds
    std::string_view id = {};           ///< the last `id:` line of the stream so far
    bool terminated = true;             ///< false: the stream ended before the blank line, so the event may be cut
};

/// An incremental parser for `text/event-stream` (HTML standard, section 9.2), without I/O. Pieces may be split anywhere. Lines end with
/// LF, CRLF or CR. Comments and a byte order mark are skipped; bytes are not validated. Time is linear in the input.
///
/// Differs from the standard so that a client can detect a broken stream: an event without its final blank line is delivered at the end
/// with `terminated` false, and lines that are not fields are reported. Not thread-safe and not reentrant.
class sse_parser {
public:
    struct ignore_stray_line {
        void operator()(std::string_view) const noexcept {}
    };

    explicit sse_parser(std::size_t max_event_bytes = std::size_t{64} << 20) noexcept : limit_(max_event_bytes) {}

    /// Calls `on_event(const sse_event&)` for each event that `piece` completes. Calls `on_stray(std::string_view line)` for each line that
    /// is neither a comment nor one of the fields `event`, `data`, `id` and `retry`: some services put an error document without `data:`
    /// into a stream. Fails with `too_large` if an event or a line exceeds the limit, and then always.
    template <class OnEvent, class OnStray = ignore_stray_line>
    result<void> feed(std::string_view piece, OnEvent&& on_event, OnStray&& on_stray = {}) {
        cursor at(piece);
        return deliver([&] { return step(at); }, on_event, on_stray);
    }

    /// Ends the stream: delivers the last event even if it is incomplete, and resets the parser for another stream.
    template <class OnEvent, class OnStray = ignore_stray_line>
    void finish(OnEvent&& on_event, OnStray&& on_stray = {}) {
        static_cast<void>(deliver([&] { return last_step(); }, on_event, on_stray));
        *this = sse_parser(limit_);
    }

    /// Returns the value of the last `retry:` line: how long to wait before reconnecting.
    [[nodiscard]] std::optional<duration> retry() const noexcept { return retry_; }

private:
    enum class found : unsigned char { nothing, event, stray_line, too_large };

    /// The position in the piece. Caches the next line ends, because a repeated search would be quadratic.
    struct cursor {
        explicit cursor(std::string_view piece) noexcept;
        [[nodiscard]] const char* line_end() noexcept;

        const char* position;
        const char* end;
        const char* line_feed;
        const char* carriage_return;
    };

    template <class Step, class OnEvent, class OnStray>
    result<void> deliver(Step step, OnEvent& on_event, OnStray& on_stray) {
        for (;;) {
            switch (step()) {
                case found::nothing: return {};
                case found::event: on_event(static_cast<const sse_event&>(event_)); break;
                case found::stray_line: on_stray(stray_line_); break;
                case found::too_large: return over_limit();
            }
        }
    }

    found step(cursor& at);
    found last_step();
    found take_line(std::string_view line, bool lasting);
    void take_data(std::string_view value, bool lasting);
    found dispatch(bool terminated);
    void forget_delivered();
    void keep_data();
    [[nodiscard]] bool fits(std::size_t more) const noexcept;
    [[nodiscard]] failure over_limit() const;

    std::size_t limit_;
    std::string line_ = {};       ///< the start of an incomplete line
    std::string data_ = {};       ///< the data of the event so far, if not viewed_
    std::string_view view_ = {};  ///< the data of the event so far, if viewed_: one line of the current piece
    std::string type_ = {};
    std::string id_ = {};
    std::optional<duration> retry_ = {};
    sse_event event_ = {};
    std::string_view stray_line_ = {};
    bool has_data_ = false;
    bool viewed_ = false;
    bool line_taken_ = false;  ///< line_ has been processed
    bool delivered_ = false;   ///< event_ has been delivered
    bool first_line_ = true;
    bool after_return_ = false;  ///< a CR was read: a following LF belongs to the same line end
    bool too_large_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
