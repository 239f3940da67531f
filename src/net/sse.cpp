#include <pyaichat/net/sse.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

result<void> sse_parser::feed(std::string_view piece, const event_receiver& on_event, const line_receiver& on_stray) {
    data_in_piece_ = {};  // of an earlier piece, if a receiver threw
    while (!piece.empty() && !too_large_) {
        // Searching for one byte at a time is fast, and no byte is searched twice for the same one.
        const std::size_t line_feed = std::min(piece.find('\n'), piece.size());
        const bool ends_line = line_feed < piece.size();
        std::string_view part = piece.substr(0, line_feed);
        piece.remove_prefix(line_feed + (ends_line ? 1 : 0));
        for (std::size_t end = part.find('\r'); end != part.npos; end = part.find('\r')) {
            take_part(part.substr(0, end), true, on_event, on_stray);
            part.remove_prefix(end + 1);
            after_return_ = true;
        }
        const bool already_ended = after_return_ && part.empty();
        if (!already_ended) {
            take_part(part, ends_line, on_event, on_stray);
        }
        after_return_ = already_ended && !ends_line;
    }
    keep_data();
    if (too_large_) {
        return failure{.code = errc::too_large,
                       .message = "an event of the stream is larger than " + std::to_string(limit_) + " bytes",
                       .hint = "The service's response was too large."};
    }
    return {};
}

void sse_parser::finish(const event_receiver& on_event, const line_receiver& on_stray) {
    if (!too_large_ && !line_.empty()) {
        take_line(line_, true, on_event, on_stray);
    }
    if (!too_large_) {
        dispatch(false, on_event);
    }
    *this = sse_parser(limit_);
}

void sse_parser::take_part(std::string_view part, bool ends_line, const event_receiver& on_event, const line_receiver& on_stray) {
    const std::size_t held = line_.size() + data_.size() + data_in_piece_.size();
    too_large_ = too_large_ || held > limit_ || part.size() > limit_ - held;
    if (too_large_) {
        return;
    }
    if (ends_line && line_.empty()) {
        take_line(part, false, on_event, on_stray);
        return;
    }
    line_.append(part);
    if (ends_line) {
        take_line(line_, true, on_event, on_stray);
        line_.clear();
    }
}

/// Copies the data out of a piece that is read.
void sse_parser::keep_data() {
    if (!data_in_piece_.empty()) {
        data_.assign(std::exchange(data_in_piece_, {}));
    }
}

/// `is_buffered` says that the line is not in the piece that is read.
void sse_parser::take_line(std::string_view line, bool is_buffered, const event_receiver& on_event, const line_receiver& on_stray) {
    if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) {
        line.remove_prefix(3);
    }
    if (line.empty()) {
        dispatch(true, on_event);
        return;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    value.remove_prefix(value.starts_with(' ') ? 1 : 0);
    if (name == "data") {
        if (has_data_ || is_buffered) {
            keep_data();
            data_.append(has_data_ ? "\n" : "").append(value);
        } else {
            data_in_piece_ = value;
        }
        has_data_ = true;
    } else if (name == "event") {
        type_ = value;
    } else if (name == "id") {
        if (value.find('\0') == std::string_view::npos) {
            id_ = value;
        }
    } else if (name == "retry") {
        unsigned milliseconds = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
        if (error == std::errc() && end == value.data() + value.size()) {
            retry_ = std::chrono::milliseconds(milliseconds);
        }
    } else if (!name.empty() && on_stray) {  // an empty name is a comment
        on_stray(line);
    }
}

/// Delivers the event. One without data is dropped, with its type.
void sse_parser::dispatch(bool terminated, const event_receiver& on_event) {
    if (has_data_) {
        on_event({.type = type_.empty() ? std::string_view("message") : std::string_view(type_),
                  .data = data_in_piece_.empty() ? std::string_view(data_) : data_in_piece_,
                  .id = id_,
                  .terminated = terminated});
    }
    data_.clear();
    data_in_piece_ = {};
    type_.clear();
    has_data_ = false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
