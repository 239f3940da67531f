#include "net/request_head.hpp"

#include "net/content_decoder.hpp"

#include <pyaichat/config/version.hpp>
#include <pyaichat/net/adapter/outgoing_request.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

void add_header(std::string& head, std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string request_head(const http_request& request, const url& target, bool compressed) {
    const auto is_given = [&](std::string_view name) { return adapter::has_header(request, name); };
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
