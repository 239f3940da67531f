#pragma once
/// What every transport checks before a request is sent, and what adapters over HTTP libraries of the host add to it.
#include <pyaichat/config/version.hpp>
#include <pyaichat/core/text.hpp>
#include <pyaichat/net/url.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

[[nodiscard]] inline bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return pyaichat::detail::is_digit(c) || pyaichat::detail::is_letter(c) ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

[[nodiscard]] inline bool is_named(const http_header& header, std::string_view name) {
    return pyaichat::detail::equals_ignoring_case(header.name, name);
}

[[nodiscard]] inline bool has_header(const http_request& request, std::string_view name) {
    return std::any_of(request.headers.begin(), request.headers.end(), [&](const http_header& header) { return is_named(header, name); });
}

/// Checks what would go into the head of a request. Fails with `invalid_argument` for a method or header that is malformed and could add
/// lines to the head, and for a header that only the transport may write, because it says where the request ends.
[[nodiscard]] inline result<void> check_head(const http_request& request) {
    if (!is_token(request.method)) {
        return failure{
            .code = errc::invalid_argument, .message = "the HTTP method is not a token", .hint = "Use a method such as GET or POST."};
    }
    for (const http_header& header : request.headers) {
        const bool clean = std::none_of(header.value.begin(), header.value.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
        if (!is_token(header.name) || !clean) {
            return failure{.code = errc::invalid_argument,
                           .message = "the header \"" + (is_token(header.name) ? header.name : std::string("?")) + "\" is malformed",
                           .hint = "Leave control characters out of header names and values."};
        }
        if (is_named(header, "Content-Length") || is_named(header, "Transfer-Encoding") || is_named(header, "Connection")) {
            return failure{.code = errc::invalid_argument,
                           .message = "the header \"" + header.name + "\" is written by the transport",
                           .hint = "Leave the header out: the transport adds it."};
        }
    }
    return {};
}

/// Checks whether a request may be sent, and returns its parsed URL. Fails with `invalid_argument` for a URL that is not usable or would
/// send the request, and with it the API key, unencrypted over a network; and like `check_head`.
[[nodiscard]] inline result<url> check_request(const http_request& request) {
    result<url> target = parse_url(request.url);
    if (!target) {
        return target;
    }
    if (const result<void> head = check_head(request); !head) {
        return head.error();
    }
    if (target->scheme == "http" && !target->loopback()) {
        return failure{.code = errc::invalid_argument,
                       .message = "http:// is not allowed for " + target->host + ", which is not a loopback address",
                       .hint = "Use https://. Plain http:// is accepted for loopback addresses only."};
    }
    return target;
}

/// Returns the headers of the request, and those that it does not give itself: `Host`, `User-Agent`, `Accept`, and `Accept-Encoding` with
/// `encodings`.
[[nodiscard]] inline std::vector<http_header> headers_to_send(const http_request& request, const url& target, std::string_view encodings) {
    const std::string authority = target.authority();
    const bool usual_port = target.port == (target.scheme == "https" ? 443 : 80);
    const std::string host = usual_port ? authority.substr(0, authority.rfind(':')) : authority;
    std::vector<http_header> headers = request.headers;
    for (const http_header& added : {http_header{"Host", host}, http_header{"User-Agent", "pyaichat/" PYAICHAT_VERSION_STRING},
                                     http_header{"Accept", "*/*"}, http_header{"Accept-Encoding", std::string(encodings)}}) {
        if (!has_header(request, added.name)) {
            headers.push_back(added);
        }
    }
    return headers;
}

/// Returns whether the transport may send the request again if a kept connection broke before the response.
[[nodiscard]] inline bool is_repeatable(const http_request& request) {
    return request.repeatable || request.method == "GET" || request.method == "HEAD";
}

/// The limits in time of one exchange.
class exchange_limits {
public:
    using clock = std::chrono::steady_clock;

    exchange_limits(const http_request& request, const url& target, const cancel_token& cancel)
        : timeout_(request.timeout),
          deadline_(clock::now() + bounded_wait(request.timeout)),
          origin_(target.scheme + "://" + target.authority()),
          cancel_(cancel) {}

    [[nodiscard]] clock::time_point deadline() const noexcept { return deadline_; }
    [[nodiscard]] const std::string& origin() const noexcept { return origin_; }
    [[nodiscard]] bool exceeded() const { return cancel_.stop_requested() || clock::now() >= deadline_; }
    /// Returns why the exchange ends if it was cancelled or its deadline has passed, else `error`. An interrupted library may fail with
    /// any error.
    [[nodiscard]] failure explain(failure error) const {
        if (cancel_.stop_requested()) {
            return {.code = errc::cancelled, .message = "the request to " + origin_ + " was cancelled"};
        }
        if (clock::now() >= deadline_) {
            return {.code = errc::timeout,
                    .message = "no complete response from " + origin_ + " within " + describe(timeout_),
                    .hint = "The service did not answer in time."};
        }
        return error;
    }

private:
    duration timeout_;
    clock::time_point deadline_;
    std::string origin_;
    const cancel_token& cancel_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
