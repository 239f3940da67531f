#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

const char* reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 429: return "Too Many Requests";
        case 500: return "Internal Server Error";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        default: return "Status";
    }
}

}  // namespace

std::string http_head(int status, const std::vector<http_header>& headers) {
    std::string out = "HTTP/1.1 " + std::to_string(status) + " " + reason_phrase(status) + "\r\n";
    for (const http_header& header : headers) {
        out += header.name + ": " + header.value + "\r\n";
    }
    return out + "\r\n";
}

std::string http_message(int status, const std::vector<http_header>& headers, std::string_view body) {
    std::vector<http_header> all = headers;
    all.push_back({"Content-Length", std::to_string(body.size())});
    return http_head(status, all) + std::string(body);
}

void adapt_reply(loopback_reply& reply, const loopback_request& request) {
    using ending = loopback_reply::ending;
    constexpr std::string_view blank_line = "\r\n\r\n";
    const std::size_t head = reply.bytes.find(blank_line);
    const bool is_http = reply.bytes.starts_with("HTTP/1.1 ") && head != std::string::npos;
    if (request.method == "HEAD" && is_http) {
        reply.bytes.resize(head + blank_line.size());
        reply.rest.clear();
    }
    if (request.closes && reply.then == ending::keep) {
        reply.then = ending::close;
        if (is_http) {
            reply.bytes.insert(head, "\r\nConnection: close");
        }
    }
}

std::string header_value(const std::vector<http_header>& headers, std::string_view name) {
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const http_header& one) { return detail::equals_ignoring_case(one.name, name); });
    return found == headers.end() ? std::string() : found->value;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
