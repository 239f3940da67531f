#pragma once
#include "net/byte_stream.hpp"
#include "net/httplib_shim.hpp"
#include "net/response_head.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The stream through which httplib performs one exchange. This class parses the head and the body framing itself. It gives httplib
/// only a minimal head (status and content encoding) and the unframed body, so httplib never parses untrusted input.
class exchange_stream final : public httplib::Stream {
public:
    enum class fault : unsigned char { none, not_http, head_too_large, bad_framing };

    exchange_stream(byte_stream& below, bool expects_body) : below_(below), expects_body_(expects_body) {}

    [[nodiscard]] const response_head& head() const noexcept { return head_; }
    [[nodiscard]] std::vector<http_header> take_headers() noexcept { return head_.take_headers(); }
    [[nodiscard]] bool received_any() const noexcept { return received_any_; }
    [[nodiscard]] bool has_head() const noexcept { return has_head_; }
    [[nodiscard]] bool complete() const noexcept { return has_head_ && body_.finished() && body_part_.empty(); }
    [[nodiscard]] fault error() const noexcept { return fault_; }
    /// Whether the complete request was sent, and no bytes followed the response.
    [[nodiscard]] bool clean() const noexcept { return !send_failed_ && buffered_.empty(); }

    bool is_readable() const override { return true; }
    bool is_writable() const override { return true; }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return INVALID_SOCKET; }

    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;

private:
    [[nodiscard]] bool read_head();
    [[nodiscard]] std::ptrdiff_t fill();
    void flush();
    void make_minimal_head();

    byte_stream& below_;
    bool expects_body_;
    std::string outgoing_;
    bool send_failed_ = false;
    response_head head_;
    std::string minimal_head_;  ///< the head for httplib
    std::size_t minimal_head_read_ = 0;
    response_body body_ = response_body::of_length(0);
    std::array<char, 16'384> bytes_;
    std::string_view buffered_;   ///< in bytes_: received and not yet parsed
    std::string_view body_part_;  ///< in bytes_: the next part of the body
    bool received_any_ = false;
    bool has_head_ = false;
    fault fault_ = fault::none;
};

/// Collects the head and a small body, so that they are sent in one packet.
inline ssize_t exchange_stream::write(const char* from, std::size_t size) {
    constexpr std::size_t worth_collecting = 65'536;
    if (size < worth_collecting) {
        outgoing_.append(from, size);
    }
    if (size >= worth_collecting || outgoing_.size() >= worth_collecting) {
        flush();
    }
    if (size >= worth_collecting) {
        send_failed_ = send_failed_ || !below_.send({from, size});
    }
    return static_cast<ssize_t>(size);  // also if sending failed: the response may explain why ("too large")
}

inline void exchange_stream::flush() {
    send_failed_ = send_failed_ || !below_.send(outgoing_);
    outgoing_.clear();
}

inline std::ptrdiff_t exchange_stream::fill() {
    const std::ptrdiff_t count = below_.receive(bytes_.data(), bytes_.size());
    buffered_ = {bytes_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
    received_any_ = received_any_ || count > 0;
    return count;
}

inline bool exchange_stream::read_head() {
    flush();
    for (;;) {
        if (fill() <= 0) {
            return false;
        }
        switch (head_.take(buffered_)) {
            case response_head::state::unfinished: break;
            case response_head::state::finished:
                has_head_ = true;
                make_minimal_head();
                return true;
            case response_head::state::malformed: fault_ = fault::not_http; return false;
            case response_head::state::too_large: fault_ = fault::head_too_large; return false;
        }
    }
}

inline void exchange_stream::make_minimal_head() {
    if (expects_body_) {
        body_ = head_.body();
    }
    minimal_head_ = "HTTP/1.1 " + std::to_string(head_.status()) + " OK\r\n";
    for (const http_header& header : head_.headers()) {
        if (detail::equals_ignoring_case(header.name, "Content-Encoding")) {
            minimal_head_ += "Content-Encoding: " + detail::ascii_lower(header.value) + "\r\n";
        }
    }
    minimal_head_ += "\r\n";
}

inline ssize_t exchange_stream::read(char* to, std::size_t size) {
    if (fault_ != fault::none || (!has_head_ && !read_head())) {
        return -1;
    }
    if (minimal_head_read_ < minimal_head_.size()) {
        const std::size_t count = minimal_head_.copy(to, size, minimal_head_read_);
        minimal_head_read_ += count;
        return static_cast<ssize_t>(count);
    }
    while (body_part_.empty() && !body_.finished()) {
        if (buffered_.empty()) {
            if (const std::ptrdiff_t count = fill(); count < 0) {
                return -1;
            } else if (count == 0) {
                body_.end_of_connection();
                return body_.finished() ? 0 : -1;
            }
        }
        body_part_ = body_.take(buffered_);
        if (body_.malformed()) {
            fault_ = fault::bad_framing;
            return -1;
        }
    }
    const std::size_t count = body_part_.copy(to, size);
    body_part_.remove_prefix(count);
    return static_cast<ssize_t>(count);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
