#pragma once
#include "net/response_body.hpp"

#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Reads the head of an HTTP/1.x response, strictly and within bounds. No I/O: the pieces come as they arrive. Interim (1xx) responses are
/// skipped, the reason phrase is dropped.
///
/// It stands in front of cpp-httplib, which matches the status line with a recursive regular expression (version 0.11: a reason phrase of
/// 20 kB overflows the stack), holds a line of any length in memory before it looks at its length, knows no interim response but a bare
/// 100, percent-decodes the values of headers, and takes a length that is no number for zero.
class response_head {
public:
    static constexpr std::size_t largest_line = 8'000;  ///< httplib's own limit is 8,192
    static constexpr std::size_t largest = 64'000;      ///< of all lines together, those of interim responses included

    enum class state : unsigned char { unfinished, finished, malformed, too_large };

    /// Takes what belongs to the head from the front of `bytes`. Not to be called again after any other answer than `unfinished`.
    [[nodiscard]] state take(std::string_view& bytes);

    // Of a finished head:
    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<http_header>& headers() const noexcept { return headers_; }
    [[nodiscard]] std::vector<http_header> take_headers() noexcept { return std::move(headers_); }
    /// Whether the connection can be used after this response, once its body has been read.
    [[nodiscard]] bool keeps_connection() const noexcept { return keeps_connection_; }
    /// Reads what follows, unless the request was a HEAD.
    [[nodiscard]] response_body body() const noexcept;

private:
    [[nodiscard]] state take_line(std::string_view line);
    [[nodiscard]] bool take_status(std::string_view line);
    [[nodiscard]] bool take_header(std::string_view line);
    [[nodiscard]] bool settle_framing();

    std::string line_ = {};
    std::size_t size_ = 0;
    int status_ = 0;  ///< 0: the status line has not come yet
    std::vector<http_header> headers_ = {};
    std::optional<std::uint64_t> length_ = {};
    bool chunked_ = false;
    bool keeps_connection_ = true;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
