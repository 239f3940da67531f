#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/time.hpp>

#include <cstddef>
#include <functional>
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
/// LF, CRLF or CR. Comments and a byte order mark are skipped; UTF-8 is not validated. Time is linear in the input.
///
/// Differs from the standard so that a client can detect a broken stream: an event without its final blank line is delivered at the end
/// with `terminated` false, and lines that are not fields are reported. Not thread-safe and not reentrant.
class sse_parser {
public:
    using event_receiver = std::function<void(const sse_event&)>;
    using line_receiver = std::function<void(std::string_view)>;

    explicit sse_parser(std::size_t max_event_bytes = std::size_t{16} << 20) noexcept : limit_(max_event_bytes) {}

    /// Calls `on_event` for each event that `piece` completes. Calls `on_stray` for each line that is neither a comment nor one of the
    /// fields `event`, `data`, `id` and `retry`: some services put an error document without `data:` into a stream. Fails with `too_large`
    /// if an event or a line exceeds the limit, and then always.
    result<void> feed(std::string_view piece, const event_receiver& on_event, const line_receiver& on_stray = {});

    /// Ends the stream: delivers the last event even if it is incomplete, and resets the parser for another stream.
    void finish(const event_receiver& on_event, const line_receiver& on_stray = {});

    /// Returns the value of the last `retry:` line: how long to wait before reconnecting.
    [[nodiscard]] std::optional<duration> retry() const noexcept { return retry_; }

private:
    void take_part(std::string_view part, bool ends_line, const event_receiver& on_event, const line_receiver& on_stray);
    void take_line(std::string_view line, bool is_buffered, const event_receiver& on_event, const line_receiver& on_stray);
    void keep_data();
    void dispatch(bool terminated, const event_receiver& on_event);

    std::size_t limit_;
    std::string line_ = {};  ///< the start of an incomplete line
    std::string data_ = {};  ///< the data of the event so far
    /// Instead, a single line of data that is in the piece that is read: most events need no copy.
    std::string_view data_in_piece_ = {};
    std::string type_ = {};
    std::string id_ = {};
    std::optional<duration> retry_ = {};
    bool has_data_ = false;
    bool first_line_ = true;
    bool after_return_ = false;  ///< a CR was read: a following LF belongs to the same line end
    bool too_large_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
