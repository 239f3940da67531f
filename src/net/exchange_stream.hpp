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

/// What httplib reads and writes during one exchange. It is given a head that says nothing but how the body is compressed, and the bytes of
/// the body, whose framing is ours as well: what is left to httplib is no matter of trust in the server.
class exchange_stream final : public httplib::Stream {
public:
    enum class trouble : unsigned char { none, no_http, oversized_head, broken_framing };

    exchange_stream(byte_stream& below, bool expects_body) : below_(below), expects_body_(expects_body) {}

    [[nodiscard]] const response_head& head() const noexcept { return head_; }
    [[nodiscard]] std::vector<http_header> take_headers() noexcept { return head_.take_headers(); }
    [[nodiscard]] bool answered() const noexcept { return answered_; }
    [[nodiscard]] bool responded() const noexcept { return responded_; }
    /// The body has been read to its end.
    [[nodiscard]] bool complete() const noexcept { return responded_ && body_.finished() && stretch_.empty(); }
    [[nodiscard]] trouble what_went_wrong() const noexcept { return trouble_; }
    /// The whole request went out, and nothing came beyond the response.
    [[nodiscard]] bool clean() const noexcept { return !deaf_ && buffered_.empty(); }

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
    void summarize();

    byte_stream& below_;
    bool expects_body_;
    std::string outgoing_;
    bool deaf_ = false;  ///< the peer takes no more of the request
    response_head head_;
    std::string essence_;  ///< of the head, for httplib
    std::size_t essence_read_ = 0;
    response_body body_ = response_body::of_length(0);
    std::array<char, 16'384> bytes_;
    std::string_view buffered_;  ///< in bytes_: has come and was not looked at
    std::string_view stretch_;   ///< in bytes_: the next of the body
    bool answered_ = false;
    bool responded_ = false;
    trouble trouble_ = trouble::none;
};

/// Head and body of a small request go out in one packet.
inline ssize_t exchange_stream::write(const char* from, std::size_t size) {
    constexpr std::size_t worth_collecting = 65'536;
    if (size < worth_collecting) {
        outgoing_.append(from, size);
    }
    if (size >= worth_collecting || outgoing_.size() >= worth_collecting) {
        flush();
    }
    if (size >= worth_collecting) {
        deaf_ = deaf_ || !below_.send({from, size});
    }
    return static_cast<ssize_t>(size);  // also to a deaf peer: it may have answered before it stopped listening ("too large")
}

inline void exchange_stream::flush() {
    deaf_ = deaf_ || !below_.send(outgoing_);
    outgoing_.clear();
}

inline std::ptrdiff_t exchange_stream::fill() {
    const std::ptrdiff_t count = below_.receive(bytes_.data(), bytes_.size());
    buffered_ = {bytes_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
    answered_ = answered_ || count > 0;
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
                responded_ = true;
                summarize();
                return true;
            case response_head::state::malformed: trouble_ = trouble::no_http; return false;
            case response_head::state::too_large: trouble_ = trouble::oversized_head; return false;
        }
    }
}

inline void exchange_stream::summarize() {
    if (expects_body_) {
        body_ = head_.body();
    }
    essence_ = "HTTP/1.1 " + std::to_string(head_.status()) + " OK\r\n";
    for (const http_header& header : head_.headers()) {
        if (detail::equal_but_for_case(header.name, "Content-Encoding")) {
            essence_ += "Content-Encoding: " + detail::ascii_lower(header.value) + "\r\n";
        }
    }
    essence_ += "\r\n";
}

inline ssize_t exchange_stream::read(char* to, std::size_t size) {
    if (trouble_ != trouble::none || (!responded_ && !read_head())) {
        return -1;
    }
    if (essence_read_ < essence_.size()) {
        const std::size_t count = essence_.copy(to, size, essence_read_);
        essence_read_ += count;
        return static_cast<ssize_t>(count);
    }
    while (stretch_.empty() && !body_.finished()) {
        if (buffered_.empty()) {
            if (const std::ptrdiff_t count = fill(); count < 0) {
                return -1;
            } else if (count == 0) {
                body_.end_of_connection();
                return body_.finished() ? 0 : -1;
            }
        }
        stretch_ = body_.take(buffered_);
        if (body_.malformed()) {
            trouble_ = trouble::broken_framing;
            return -1;
        }
    }
    const std::size_t count = stretch_.copy(to, size);
    stretch_.remove_prefix(count);
    return static_cast<ssize_t>(count);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
