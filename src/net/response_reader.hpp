#pragma once
#include "net/content_decoder.hpp"
#include "net/response_head.hpp"

#include <pyaichat/core/result.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Reads one response of an HTTP/1.1 server, without I/O: received bytes go in, the head and decoded pieces of the body come out. The same
/// response comes out however its bytes are split.
class response_reader {
public:
    /// The body of an error response is read up to this size.
    static constexpr std::size_t largest_refusal = std::size_t{1} << 20;

    enum class state : unsigned char {
        head,      ///< the head is not complete
        body,      ///< the head is complete
        finished,  ///< the response is complete
        failed,    ///< no response, or a part of one: see `why`
    };
    enum class fault : unsigned char {
        none,
        not_http,          ///< the head or the framing of the body is malformed
        head_too_large,    ///< see `response_head`
        body_too_large,    ///< more than `request.max_response_bytes` after decoding, or `largest_refusal`
        unknown_encoding,  ///< a content encoding that was not asked for
        bad_encoding,      ///< the compressed body is corrupt
        cut_off,           ///< the connection ended early
        stopped,           ///< the sink returned false, or the reader was interrupted
    };

    /// The body of a 2xx response goes to `sink`, if there is one; all other bodies are collected. The request and the sink must outlive
    /// the reader.
    response_reader(const http_request& request, const http_body_sink* sink) : request_(request), sink_(sink) {}

    /// Sets what is asked, while bytes are decompressed, after each MiB that comes out: if it returns true, the reader stops.
    void interrupt_by(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

    /// Takes the next bytes, up to the end of the response. Must not be called after the end.
    void take(std::string_view& bytes);
    /// Reports that the peer has closed the connection, properly (with a close_notify, on TLS) or not.
    void end_of_connection(bool proper);

    [[nodiscard]] state now() const noexcept { return state_; }
    [[nodiscard]] fault why() const noexcept { return fault_; }
    [[nodiscard]] bool has_ended() const noexcept { return state_ == state::finished || state_ == state::failed; }
    [[nodiscard]] bool received_any() const noexcept { return received_any_; }
    /// Returns whether the head is complete and has a status other than 2xx.
    [[nodiscard]] bool is_refusal() const noexcept { return has_head_ && head_.status() / 100 != 2; }
    /// Returns whether the connection can be used again.
    [[nodiscard]] bool keeps_connection() const noexcept { return state_ == state::finished && head_.keeps_connection(); }

    /// Moves out the response, after the end or when no more is waited for. The body of an error response may be cut. Fails with
    /// `connection_failed`, `unreachable` (no HTTP), `too_large` or `cancelled` (stopped by the sink). `peer` is the name of the server in
    /// messages.
    [[nodiscard]] result<http_response> take_response(const std::string& peer);

private:
    void take_head(std::string_view& bytes);
    void take_body(std::string_view& bytes);
    void fail(fault why) noexcept;
    [[nodiscard]] bool pass_on(std::string_view piece);
    [[nodiscard]] failure explain(const std::string& peer) const;

    const http_request& request_;
    const http_body_sink* sink_;
    state state_ = state::head;
    fault fault_ = fault::none;
    bool received_any_ = false;
    bool has_head_ = false;
    response_head head_ = {};
    response_body body_ = response_body::of_length(0);
    std::optional<content_decoder> decoder_ = {};
    std::size_t passed_ = 0;  ///< bytes of the decoded body
    std::string collected_ = {};
    std::function<bool()> interrupted_ = {};
    std::size_t unasked_ = 0;  ///< bytes passed on since `interrupted_` was called
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
