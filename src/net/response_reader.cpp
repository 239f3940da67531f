#include "net/response_reader.hpp"

#include <pyaichat/core/text.hpp>

#include "net/connection_failure.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

void response_reader::fail(fault why) noexcept {
    state_ = state::failed;
    fault_ = why;
}

void response_reader::take(std::string_view& bytes) {
    received_any_ = received_any_ || !bytes.empty();
    if (state_ == state::head) {
        take_head(bytes);
    }
    if (state_ == state::body) {
        take_body(bytes);
    }
}

void response_reader::take_head(std::string_view& bytes) {
    switch (head_.take(bytes)) {
        case response_head::state::unfinished: return;
        case response_head::state::malformed: return fail(fault::not_http);
        case response_head::state::too_large: return fail(fault::head_too_large);
        case response_head::state::finished: break;
    }
    has_head_ = true;
    state_ = state::body;
    if (request_.method != "HEAD") {
        body_ = head_.body();
    }
    std::string encoding;
    for (const http_header& header : head_.headers()) {
        if (detail::equals_ignoring_case(header.name, "Content-Encoding")) {
            encoding += (encoding.empty() ? "" : ", ") + header.value;  // a list, which was not asked for (RFC 9110, 5.3)
        }
    }
    decoder_ = content_decoder::of(encoding);
    if (!decoder_) {
        fail(fault::unknown_encoding);
    }
}

bool response_reader::pass_on(std::string_view piece) {
    const std::size_t most = is_refusal() ? std::min(largest_refusal, request_.max_response_bytes) : request_.max_response_bytes;
    if (piece.size() > most - passed_) {
        if (is_refusal()) {
            collected_.append(piece.substr(0, most - passed_));
        }
        fail(fault::body_too_large);
        return false;
    }
    passed_ += piece.size();
    unasked_ += piece.size();
    if (constexpr std::size_t step = std::size_t{1} << 20; unasked_ >= step && interrupted_) {
        unasked_ = 0;
        if (interrupted_()) {
            fail(fault::stopped);
            return false;
        }
    }
    if (sink_ == nullptr || is_refusal()) {
        collected_.append(piece);
        return true;
    }
    if (!(*sink_)(piece) || (interrupted_ && interrupted_())) {  // the receiver may have taken long
        fail(fault::stopped);
        return false;
    }
    return true;
}

void response_reader::take_body(std::string_view& bytes) {
    while (!bytes.empty() && !body_.finished()) {
        const std::string_view part = body_.take(bytes);
        if (!part.empty() && !decoder_->take(part, [this](std::string_view piece) { return pass_on(piece); })) {
            return state_ == state::failed ? void() : fail(fault::bad_encoding);
        }
        if (body_.malformed()) {
            return fail(fault::not_http);
        }
    }
    if (body_.finished()) {
        decoder_->complete() ? void(state_ = state::finished) : fail(fault::cut_off);
    }
}

void response_reader::end_of_connection(bool proper) {
    if (has_ended()) {
        return;
    }
    if (proper && has_head_) {
        body_.end_of_connection();
        if (body_.finished() && decoder_->complete()) {
            state_ = state::finished;
            return;
        }
    }
    fail(fault::cut_off);
}

result<http_response> response_reader::take_response(const std::string& peer) {
    if (state_ != state::finished && !is_refusal()) {
        return explain(peer);
    }
    http_response response;
    response.status = head_.status();
    response.headers = head_.take_headers();
    response.body = std::move(collected_);
    return response;
}

failure response_reader::explain(const std::string& peer) const {
    const auto too_large = [&](const std::string& what) {
        return failure{.code = errc::too_large, .message = what, .hint = "The service's response was too large."};
    };
    const auto not_decompressed = [&](const std::string& why) {
        return connection_failure("the response from " + peer + " cannot be decompressed" + why,
                                  "The service sent a response that cannot be decompressed.");
    };
    switch (fault_) {
        case fault::not_http:
            if (head_.status() == 0) {
                return setup_failure("the response from " + peer + " is not HTTP",
                                     "The server there does not speak HTTP. Check the address and the port.");
            }
            return connection_failure("the response from " + peer + " is not valid HTTP (" +
                                          (has_head_ ? "bad chunk after " + std::to_string(passed_) + " bytes of its body" : "bad head") +
                                          ")",
                                      "The service sent a response that is not valid HTTP.");
        case fault::head_too_large: return too_large("the head of the response from " + peer + " is too large");
        case fault::body_too_large:
            return too_large("the response from " + peer + " is larger than " + std::to_string(request_.max_response_bytes) + " bytes");
        case fault::unknown_encoding: return not_decompressed(": its encoding was not asked for");
        case fault::bad_encoding: return not_decompressed("");
        case fault::stopped: return {.code = errc::cancelled, .message = "the receiver stopped the response"};
        case fault::cut_off:
        case fault::none: break;
    }
    return has_head_
               ? connection_failure("the response from " + peer + " was cut off after " + std::to_string(passed_) + " bytes of its body",
                                    "The service's response was cut off.")
               : connection_failure(peer + " closed the connection without a response",
                                    "The service closed the connection without a response.");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
