#include "testing/emulation/loopback_request_reader.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t max_head_size = std::size_t{64} << 10;
constexpr std::size_t max_body_size = std::size_t{64} << 20;

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

/// Parses a whole text as a number. Returns nothing if it is not a number or too large.
std::optional<std::size_t> parse_size(std::string_view text, int base) {
    std::size_t out = 0;
    const char* const end = std::to_address(text.end());
    const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, out, base);
    return !text.empty() && rest == end && error == std::errc() ? std::optional(out) : std::nullopt;
}

/// Whether a header such as `Connection: keep-alive, close` has this element.
bool has_token(std::string_view value, std::string_view token) {
    while (!value.empty()) {
        const std::size_t end = std::min(value.find(','), value.size());
        if (detail::equals_ignoring_case(trimmed(value.substr(0, end)), token)) {
            return true;
        }
        value.remove_prefix(std::min(end + 1, value.size()));
    }
    return false;
}

/// Parses the head of a request, without its blank line. Returns nothing if it is not valid.
std::optional<loopback_request> parse_head(std::string_view head) {
    loopback_request out;
    const std::size_t line = std::min(head.find("\r\n"), head.size());
    const std::string_view first = head.substr(0, line);
    const std::size_t method = first.find(' ');
    const std::size_t target = first.rfind(' ');
    if (method == std::string_view::npos || target <= method || !first.substr(target + 1).starts_with("HTTP/1.")) {
        return std::nullopt;
    }
    out.method = first.substr(0, method);
    out.target = first.substr(method + 1, target - method - 1);
    out.closes = first.ends_with("HTTP/1.0");
    for (std::string_view rest = head.substr(std::min(line + 2, head.size())); !rest.empty();) {
        const std::size_t end = std::min(rest.find("\r\n"), rest.size());
        const std::string_view header = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 2, rest.size()));
        const std::size_t colon = header.find(':');
        if (colon == std::string_view::npos) {
            return std::nullopt;
        }
        out.headers.push_back({std::string(header.substr(0, colon)), std::string(trimmed(header.substr(colon + 1)))});
    }
    out.closes = out.closes || has_token(header_value(out.headers, "Connection"), "close");
    return out;
}

}  // namespace

loopback_request_reader::progress loopback_request_reader::advance() {
    if (!request_) {
        if (const progress head = read_head(); head != progress::complete) {
            return head;
        }
    }
    const progress body = chunked_ ? read_chunks() : read_body();
    return body == progress::incomplete && std::exchange(permission_due_, false) ? progress::expects_permission : body;
}

loopback_request loopback_request_reader::take() {
    buffer_.erase(0, std::exchange(at_, 0));
    loopback_request out = *std::move(request_);
    request_.reset();
    return out;
}

loopback_request_reader::progress loopback_request_reader::read_head() {
    const std::size_t blank = buffer_.find("\r\n\r\n");
    if (std::min(blank, buffer_.size()) > max_head_size) {
        return progress::invalid;
    }
    if (blank == std::string::npos) {
        return progress::incomplete;
    }
    request_ = parse_head(std::string_view(buffer_).substr(0, blank));
    at_ = blank + 4;
    return request_ && set_framing() ? progress::complete : progress::invalid;
}

bool loopback_request_reader::set_framing() {
    const std::string coding = header_value(request_->headers, "Transfer-Encoding");
    const std::string length = header_value(request_->headers, "Content-Length");
    chunked_ = detail::equals_ignoring_case(coding, "chunked");
    in_trailers_ = false;
    length_ = 0;
    permission_due_ = detail::equals_ignoring_case(header_value(request_->headers, "Expect"), "100-continue");
    if (chunked_ || !coding.empty()) {
        return chunked_ && length.empty();
    }
    if (length.empty()) {
        return true;
    }
    const std::optional<std::size_t> size = parse_size(length, 10);
    length_ = size.value_or(0);
    return size && length_ <= max_body_size;
}

loopback_request_reader::progress loopback_request_reader::read_body() {
    if (buffer_.size() - at_ < length_) {
        return progress::incomplete;
    }
    request_->body = buffer_.substr(at_, length_);
    at_ += length_;
    return progress::complete;
}

std::optional<std::string_view> loopback_request_reader::take_line() {
    const std::size_t end = buffer_.find("\r\n", at_);
    if (end == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t begin = std::exchange(at_, end + 2);
    return std::string_view(buffer_).substr(begin, end - begin);
}

loopback_request_reader::progress loopback_request_reader::read_chunks() {
    for (;;) {
        const std::size_t begin = at_;
        const std::optional<std::string_view> line = take_line();
        if (!line) {
            return buffer_.size() - begin > max_head_size ? progress::invalid : progress::incomplete;
        }
        if (in_trailers_) {
            if (line->empty()) {
                return progress::complete;
            }
            continue;
        }
        const std::optional<std::size_t> size = parse_size(trimmed(line->substr(0, line->find(';'))), 16);
        if (!size || *size > max_body_size - request_->body.size()) {
            return progress::invalid;
        }
        if (*size == 0) {
            in_trailers_ = true;
            continue;
        }
        if (buffer_.size() - at_ < *size + 2) {
            at_ = begin;
            return progress::incomplete;
        }
        if (buffer_.compare(at_ + *size, 2, "\r\n") != 0) {
            return progress::invalid;
        }
        request_->body.append(buffer_, at_, *size);
        at_ += *size + 2;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
