#pragma once
#include "testing/emulation/loopback_server.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Parses the requests of one connection from its bytes. Bodies have a `Content-Length` or are chunked.
class loopback_request_reader {
public:
    enum class progress : unsigned char {
        incomplete,          ///< the request needs more bytes
        expects_permission,  ///< the client waits for `100 Continue` before it sends the body; returned once per request
        complete,            ///< `take` returns the request
        invalid,             ///< the bytes are not HTTP, or too many
    };

    void append(std::string_view bytes) { buffer_ += bytes; }

    /// Parses as far as the bytes go.
    [[nodiscard]] progress advance();

    /// Returns the complete request. The next call of `advance` begins with the bytes after it.
    [[nodiscard]] loopback_request take();

private:
    [[nodiscard]] progress read_head();
    [[nodiscard]] progress read_body();
    [[nodiscard]] progress read_chunks();
    [[nodiscard]] bool set_framing();
    [[nodiscard]] std::optional<std::string_view> take_line();

    std::string buffer_ = {};
    std::size_t at_ = 0;  ///< bytes of the buffer that are parsed
    std::optional<loopback_request> request_ = {};
    std::size_t length_ = 0;  ///< of a body that is not chunked
    bool chunked_ = false;
    bool in_trailers_ = false;
    bool permission_due_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
