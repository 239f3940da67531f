#include "net/request_head.hpp"

#include "net/content_decoder.hpp"

#include <pyaichat/config/version.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return detail::is_digit(c) || detail::is_letter(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

bool is_named(const http_header& header, std::string_view name) {
    return detail::equals_ignoring_case(header.name, name);
}

void add_header(std::string& head, std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

result<void> check_head(const http_request& request) {
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

std::string request_head(const http_request& request, const url& target, bool compressed) {
    const auto is_given = [&](std::string_view name) {
        return std::any_of(request.headers.begin(), request.headers.end(),
                           [&](const http_header& header) { return is_named(header, name); });
    };
    std::string head;
    head.reserve(512);
    head.append(request.method).append(" ").append(target.target).append(" HTTP/1.1\r\n");
    if (!is_given("Host")) {
        const std::string authority = target.authority();
        const bool usual_port = target.port == (target.scheme == "https" ? 443 : 80);
        add_header(head, "Host", usual_port ? std::string_view(authority).substr(0, authority.rfind(':')) : authority);
    }
    for (const http_header& header : request.headers) {
        add_header(head, header.name, header.value);
    }
    if (!is_given("User-Agent")) {
        add_header(head, "User-Agent", "pyaichat/" PYAICHAT_VERSION_STRING);
    }
    if (!is_given("Accept")) {
        add_header(head, "Accept", "*/*");
    }
    if (!is_given("Accept-Encoding")) {
        add_header(head, "Accept-Encoding", compressed ? accepted_encodings : "identity");
    }
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
        add_header(head, "Content-Length", std::to_string(request.body.size()));
    }
    head += "\r\n";
    return head;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
