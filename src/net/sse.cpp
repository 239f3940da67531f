#include <pyaichat/net/sse.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

const char* find(const char* begin, const char* end, char byte) noexcept {
    const void* at = begin == end ? nullptr : std::memchr(begin, byte, static_cast<std::size_t>(end - begin));
    return at == nullptr ? end : static_cast<const char*>(at);
}

}  // namespace

sse_parser::cursor::cursor(std::string_view piece) noexcept
    : position(piece.data()),
      end(piece.data() + piece.size()),
      line_feed(find(position, end, '\n')),
      carriage_return(find(position, end, '\r')) {}

const char* sse_parser::cursor::line_end() noexcept {
    if (line_feed < position) {
        line_feed = find(position, end, '\n');
    }
    if (carriage_return < position) {
        carriage_return = find(position, end, '\r');
    }
    return std::min(line_feed, carriage_return);
}

bool sse_parser::fits(std::size_t more) const noexcept {
    const std::size_t held = line_.size() + (viewed_ ? view_.size() : data_.size());
    return held <= limit_ && more <= limit_ - held;
}

failure sse_parser::over_limit() const {
    return {.code = errc::too_large,
            .message = "an event of the stream is larger than " + std::to_string(limit_) + " bytes",
            .hint = "The service's response was too large."};
}

void sse_parser::forget_delivered() {
    if (std::exchange(line_taken_, false)) {
        line_.clear();
    }
    if (std::exchange(delivered_, false)) {
        data_.clear();
        type_.clear();
        has_data_ = viewed_ = false;
    }
}

void sse_parser::keep_data() {
    if (std::exchange(viewed_, false)) {
        data_.assign(view_);
    }
}

sse_parser::found sse_parser::step(cursor& at) {
    if (too_large_) {
        return found::too_large;
    }
    forget_delivered();
    while (at.position != at.end) {
        if (std::exchange(after_return_, false) && *at.position == '\n') {
            ++at.position;
            continue;
        }
        const char* const stop = at.line_end();
        const std::string_view part(at.position, static_cast<std::size_t>(stop - at.position));
        if (!fits(part.size())) {
            too_large_ = true;
            return found::too_large;
        }
        if (stop == at.end) {
            line_.append(part);
            at.position = stop;
            break;
        }
        at.position = stop + 1;
        after_return_ = *stop == '\r';
        found outcome = found::nothing;
        if (line_.empty()) {
            outcome = take_line(part, true);
        } else {
            line_.append(part);
            outcome = take_line(line_, false);
            line_taken_ = true;
        }
        if (outcome != found::nothing) {
            return outcome;
        }
        forget_delivered();
    }
    keep_data();  // the piece is invalid after this call
    return found::nothing;
}

sse_parser::found sse_parser::last_step() {
    if (too_large_) {
        return found::too_large;
    }
    forget_delivered();
    if (!line_.empty()) {
        line_taken_ = true;
        if (const found outcome = take_line(line_, false); outcome != found::nothing) {
            return outcome;
        }
    }
    return dispatch(false);
}

/// `lasting`: the line is part of the piece and may be viewed until its end.
sse_parser::found sse_parser::take_line(std::string_view line, bool lasting) {
    if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) {
        line.remove_prefix(3);
    }
    if (line.empty()) {
        return dispatch(true);
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    value.remove_prefix(value.starts_with(' ') ? 1 : 0);
    if (name == "data") {
        take_data(value, lasting);
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
    } else if (!name.empty()) {  // an empty name is a comment
        stray_line_ = line;
        return found::stray_line;
    }
    return found::nothing;
}

void sse_parser::take_data(std::string_view value, bool lasting) {
    if (!has_data_ && lasting) {
        view_ = value;
        viewed_ = true;
    } else {
        keep_data();
        if (has_data_) {
            data_ += '\n';
        }
        data_ += value;
    }
    has_data_ = true;
}

sse_parser::found sse_parser::dispatch(bool terminated) {
    delivered_ = true;
    if (!has_data_) {
        return found::nothing;  // an event without data is dropped, with its type
    }
    event_ = {.type = type_.empty() ? std::string_view("message") : std::string_view(type_),
              .data = viewed_ ? view_ : std::string_view(data_),
              .id = id_,
              .terminated = terminated};
    return found::event;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
