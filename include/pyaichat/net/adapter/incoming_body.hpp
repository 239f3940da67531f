#pragma once
/// For the adapters over HTTP libraries of the host: takes the decoded body of a response from the library.
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

/// Passes the body of a 2xx response to the sink, if there is one, and collects all other bodies. Keeps the limit of the request.
class incoming_body {
public:
    /// The request and the sink must outlive this object.
    incoming_body(const http_request& request, const http_body_sink* sink) : limit_(request.max_response_bytes), sink_(sink) {}

    /// Begins a body. Must be called when the head of the response is complete.
    void begin(int status) {
        streams_ = sink_ != nullptr && status / 100 == 2;
        size_ = 0;
        collected_.clear();
    }
    /// Takes the next piece. Returns false if the exchange must stop.
    [[nodiscard]] bool take(std::string_view piece) {
        if (piece.size() > limit_ - size_) {
            too_large_ = true;
            return false;
        }
        size_ += piece.size();
        if (!streams_) {
            collected_.append(piece);
            return true;
        }
        stopped_ = !(*sink_)(piece);
        return !stopped_;
    }

    /// Returns whether `take` has returned false.
    [[nodiscard]] bool refused() const noexcept { return too_large_ || stopped_; }
    /// Returns why `take` has returned false.
    [[nodiscard]] failure refusal(const std::string& origin) const {
        if (stopped_) {
            return {.code = errc::cancelled, .message = "the receiver stopped the response"};
        }
        return {.code = errc::too_large,
                .message = "the response from " + origin + " is larger than " + std::to_string(limit_) + " bytes",
                .hint = "The service's response was too large."};
    }
    [[nodiscard]] std::string take_collected() { return std::move(collected_); }

private:
    std::size_t limit_;
    const http_body_sink* sink_;
    bool streams_ = false;
    std::size_t size_ = 0;
    bool too_large_ = false;
    bool stopped_ = false;
    std::string collected_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
