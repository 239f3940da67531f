#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// One server-sent event. The views are valid during the callback.
struct sse_event {
    std::string_view type = "message";  ///< the `event:` line
    std::string_view data = {};         ///< the `data:` lines, joined by line feeds
    std::string_view id = {};           ///< the last `id:` line of the stream so far
    bool terminated = true;             ///< false: the stream ended without the blank line, so the event may be cut short
};

/// Splits a `text/event-stream` into events. No I/O: the pieces come as they arrive, split anywhere. Lines end with LF, CRLF or CR;
/// comments and a byte order mark are skipped; bytes are passed on as they are. Time is linear in the input, and memory is bounded by the
/// limit. Follows the grammar of the HTML standard, section 9.2, with two differences, which a client that has to notice a broken stream
/// needs: an event without its final blank line is delivered at the end, marked as such, and lines that are no field can be seen. One
/// thread at a time; must not be called from its own callbacks.
class sse_parser {
public:
    struct ignore_stray_line {
        void operator()(std::string_view) const noexcept {}
    };

    explicit sse_parser(std::size_t max_event_bytes = std::size_t{64} << 20) noexcept : limit_(max_event_bytes) {}

    /// Calls `on_event(const sse_event&)` for each event that `piece` completes, and `on_stray(std::string_view line)` for each line that
    /// is neither a comment nor one of the fields `event`, `data`, `id` and `retry`. (The standard ignores such lines. Some services put an
    /// error document in the middle of a stream, without `data:`.) Fails with `too_large` when an event or a line exceeds the limit, and
    /// from then on always.
    template <class OnEvent, class OnStray = ignore_stray_line>
    result<void> feed(std::string_view piece, OnEvent&& on_event, OnStray&& on_stray = {}) {
        cursor at(piece);
        return deliver([&] { return step(at); }, on_event, on_stray);
    }

    /// The stream is over: delivers what has no line end or blank line yet. The parser is then ready for another stream.
    template <class OnEvent, class OnStray = ignore_stray_line>
    void finish(OnEvent&& on_event, OnStray&& on_stray = {}) {
        static_cast<void>(deliver([&] { return last_step(); }, on_event, on_stray));
        *this = sse_parser(limit_);
    }

    /// The last `retry:` line: how long to wait before connecting again.
    [[nodiscard]] std::optional<duration> retry() const noexcept { return retry_; }

private:
    enum class found : unsigned char { nothing, event, stray_line, too_large };

    /// Where in the piece the parser is. The next line ends are remembered, so that no byte is searched twice.
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
    std::string line_ = {};       ///< the beginning of a line whose end has not come yet
    std::string data_ = {};       ///< the data of the event so far, unless it is in view_
    std::string_view view_ = {};  ///< the data of the event so far, when it is one line of the piece at hand
    std::string type_ = {};
    std::string id_ = {};
    std::optional<duration> retry_ = {};
    sse_event event_ = {};
    std::string_view stray_line_ = {};
    bool has_data_ = false;
    bool viewed_ = false;      ///< the data is in view_
    bool line_taken_ = false;  ///< line_ has been processed
    bool delivered_ = false;   ///< the event has been passed on
    bool first_line_ = true;
    bool after_return_ = false;  ///< a line feed that comes next belongs to the line end before it
    bool too_large_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
