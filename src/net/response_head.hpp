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

/// An incremental, strict parser for the head of an HTTP/1.x response, without I/O. Skips interim (1xx) responses and the reason phrase.
class response_head {
public:
    static constexpr std::size_t largest_line = 8'000;
    static constexpr std::size_t largest = 64'000;  ///< all lines, including those of interim responses

    enum class state : unsigned char { unfinished, finished, malformed, too_large };

    /// Removes the bytes of the head from the front of `bytes`. Must not be called again unless it returned `unfinished`.
    [[nodiscard]] state take(std::string_view& bytes);

    // Valid after `finished`:
    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<http_header>& headers() const noexcept { return headers_; }
    [[nodiscard]] std::vector<http_header> take_headers() noexcept { return std::move(headers_); }
    /// Returns whether the connection can be reused after the body.
    [[nodiscard]] bool keeps_connection() const noexcept { return keeps_connection_; }
    /// Returns the parser for the body, unless the request was a HEAD.
    [[nodiscard]] response_body body() const noexcept;

private:
    [[nodiscard]] state take_line(std::string_view line);
    [[nodiscard]] bool take_status(std::string_view line);
    [[nodiscard]] bool take_header(std::string_view line);
    [[nodiscard]] bool determine_framing();

    std::string line_ = {};
    std::size_t size_ = 0;
    int status_ = 0;  ///< 0: before the status line
    std::vector<http_header> headers_ = {};
    std::optional<std::uint64_t> length_ = {};
    bool chunked_ = false;
    bool keeps_connection_ = true;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
