#include "net/response_head.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

/// Removes blanks and tabs only: other white space makes the value invalid (RFC 9110, 5.5).
std::string_view without_padding(std::string_view text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(" \t") + 1));
    return text;
}

/// Calls `visit` with each member of a comma-separated value; stops at the first `false`.
template <class Visit>
bool all_members(std::string_view value, Visit visit) {
    for (;;) {
        const std::size_t comma = std::min(value.find(','), value.size());
        if (!visit(without_padding(value.substr(0, comma)))) {
            return false;
        }
        if (comma == value.size()) {
            return true;
        }
        value.remove_prefix(comma + 1);
    }
}

}  // namespace

response_head::state response_head::take(std::string_view& bytes) {
    while (!bytes.empty()) {
        const std::size_t feed = std::min(bytes.find('\n'), bytes.size());
        const std::size_t taken = std::min(feed + 1, bytes.size());
        if (line_.size() + feed > largest_line || size_ + taken > largest) {
            return state::too_large;
        }
        size_ += taken;
        std::string_view line = bytes.substr(0, feed);
        const bool whole = feed < bytes.size();
        bytes.remove_prefix(taken);
        if (!whole || !line_.empty()) {
            line_.append(line);
            line = line_;
        }
        if (!whole) {
            break;
        }
        const state now = take_line(line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0)));
        line_.clear();
        if (now != state::unfinished) {
            return now;
        }
    }
    return state::unfinished;
}

response_head::state response_head::take_line(std::string_view line) {
    if (status_ == 0) {
        return take_status(line) ? state::unfinished : state::malformed;
    }
    if (!line.empty()) {
        return take_header(line) ? state::unfinished : state::malformed;
    }
    if (status_ < 200) {  // skip an interim response
        status_ = 0;
        headers_.clear();
        return state::unfinished;
    }
    return determine_framing() ? state::finished : state::malformed;
}

bool response_head::take_status(std::string_view line) {
    // "HTTP/1.1 200 reason"
    if (line.size() < 12 || !line.starts_with("HTTP/1.") || (line[7] != '0' && line[7] != '1') || line[8] != ' ' ||
        !std::all_of(line.begin() + 9, line.begin() + 12, detail::is_digit) || (line.size() > 12 && line[12] != ' ')) {
        return false;
    }
    status_ = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    keeps_connection_ = line[7] == '1';
    return status_ >= 100 && status_ != 101;  // 101: no request asks for another protocol
}

bool response_head::take_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    const bool printable = std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
    if (colon == std::string_view::npos || colon == 0 || !printable ||
        line.substr(0, colon).find_first_of(" \t") != std::string_view::npos) {
        return false;
    }
    headers_.push_back({std::string(line.substr(0, colon)), std::string(without_padding(line.substr(colon + 1)))});
    return true;
}

/// Rejects contradictory lengths, which would allow response smuggling.
bool response_head::determine_framing() {
    for (const http_header& header : headers_) {
        if (detail::equals_ignoring_case(header.name, "Content-Length")) {
            const bool agreed = all_members(header.value, [&](std::string_view digits) {
                std::uint64_t bytes = 0;
                const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
                return error == std::errc() && end == digits.data() + digits.size() &&
                       std::exchange(length_, bytes).value_or(bytes) == bytes;
            });
            if (!agreed) {
                return false;
            }
        } else if (detail::equals_ignoring_case(header.name, "Transfer-Encoding")) {
            if (chunked_ || !detail::equals_ignoring_case(header.value, "chunked")) {
                return false;
            }
            chunked_ = true;
        } else if (detail::equals_ignoring_case(header.name, "Connection")) {
            all_members(header.value, [&](std::string_view option) {
                keeps_connection_ = keeps_connection_ && !detail::equals_ignoring_case(option, "close");
                return true;
            });
        }
    }
    if (status_ == 204 || status_ == 304) {  // these never have a body
        chunked_ = false;
        length_ = 0;
    } else if (chunked_ == length_.has_value()) {  // both, or neither: the body may end with the connection
        keeps_connection_ = false;
    }
    return true;
}

response_body response_head::body() const noexcept {
    return chunked_ ? response_body::of_chunks() : length_ ? response_body::of_length(*length_) : response_body::to_the_end();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
