#include "net/response_body.hpp"

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::net {

response_body response_body::of_length(std::uint64_t bytes) noexcept {
    response_body body(bytes == 0 ? state::finished : state::length);
    body.left_ = bytes;
    return body;
}

void response_body::end_of_connection() noexcept {
    state_ = state_ == state::endless ? state::finished : state_;
}

std::string_view response_body::take(std::string_view& bytes) {
    while (!bytes.empty()) {
        switch (state_) {
            case state::finished:
            case state::malformed: return {};
            case state::endless: {
                const std::string_view all = bytes;
                bytes = {};
                return all;
            }
            case state::length:
            case state::chunk: {
                const std::string_view part = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
                bytes.remove_prefix(part.size());
                left_ -= part.size();
                if (left_ == 0) {
                    state_ = state_ == state::length ? state::finished : state::after;
                }
                return part;
            }
            case state::size:
            case state::after:
            case state::trailer: {
                const std::size_t feed = std::min(bytes.find('\n'), bytes.size());
                if (line_.size() + feed > largest_line) {
                    state_ = state::malformed;
                    return {};
                }
                line_.append(bytes.substr(0, feed));
                const bool whole = feed < bytes.size();
                bytes.remove_prefix(feed + (whole ? 1 : 0));
                if (whole) {
                    state_ = after_line();
                    line_.clear();
                }
                break;
            }
        }
    }
    return {};
}

response_body::state response_body::after_line() {
    std::string_view line = line_;
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    if (state_ == state::after) {
        return line.empty() ? state::size : state::malformed;
    }
    if (state_ == state::trailer) {
        trailers_ += line_.size();
        return line.empty() ? state::finished : trailers_ > largest_trailers ? state::malformed : state::trailer;
    }
    line = line.substr(0, line.find(';'));  // ignore chunk extensions
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
    if (error != std::errc() || end != line.data() + line.size()) {
        return state::malformed;
    }
    return left_ == 0 ? state::trailer : state::chunk;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
