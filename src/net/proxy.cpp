#include "net/proxy.hpp"

#include "net/response_head.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view three = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = bits << 8U | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += i <= three.size() ? digits[bits >> (18 - 6 * i) & 63U] : '=';
        }
    }
    return out;
}

failure tunnel_failure(const proxy& via, const std::string& why) {
    return connection_failure("the proxy " + via.name() + " did not connect: " + why,
                              "The service could not be reached (the proxy " + via.name() + ": " + why + ").");
}

}  // namespace

result<proxy> parse_proxy(std::string_view text) {
    const auto refused = [](std::string why) -> failure {
        return {.code = errc::invalid_argument,
                .message = "the proxy is not usable: " + std::move(why),
                .hint = "Give the proxy as http://host:port, or http://name:password@host:port."};
    };
    if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
        if (!detail::equals_ignoring_case(text.substr(0, scheme), "http")) {
            return refused("only http:// proxies are supported");
        }
        text.remove_prefix(scheme + 3);
    }
    text = text.substr(0, text.find('/'));
    proxy out;
    if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
        out.credentials = detail::percent_decoded(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    result<url> address = parse_url("http://" + std::string(text));
    if (!address) {
        return refused(std::move(address).error().message);
    }
    out.host = std::move(address->host);
    out.port = address->port;
    return out;
}

bool bypasses_proxy(const url& target, std::string_view no_proxy) {
    while (!no_proxy.empty()) {
        const std::size_t end = std::min(no_proxy.find_first_of(", \t"), no_proxy.size());
        std::string_view entry = no_proxy.substr(0, end);
        no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
        if (entry == "*") {
            return true;
        }
        entry.remove_prefix(entry.starts_with("*.") ? 2 : entry.starts_with('.') ? 1 : 0);
        if (entry.empty()) {
            continue;
        }
        const bool bare_v6 = !entry.starts_with('[') && std::count(entry.begin(), entry.end(), ':') > 1;
        const std::string address = bare_v6 ? "[" + std::string(entry) + "]" : std::string(entry);
        const result<url> exempt = parse_url(target.scheme + "://" + address);
        const bool any_port = bare_v6 || entry.ends_with(']') || entry.find(':') == std::string_view::npos;
        if (exempt && (any_port || exempt->port == target.port) &&
            (target.host == exempt->host || target.host.ends_with("." + exempt->host))) {
            return true;
        }
    }
    return false;
}

result<void> open_tunnel(byte_stream& stream, const proxy& via, const url& target) {
    const std::string authority = target.authority();
    std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!via.credentials.empty()) {
        request += "Proxy-Authorization: Basic " + base64(via.credentials) + "\r\n";
    }
    request += "\r\n";
    if (!stream.send(request)) {
        return tunnel_failure(via, "it closed the connection");
    }
    response_head head;
    for (auto state = response_head::state::unfinished; state != response_head::state::finished;) {
        char bytes[4096];
        const std::ptrdiff_t count = stream.receive(bytes, sizeof bytes);
        if (count <= 0) {
            return tunnel_failure(via, "it closed the connection");
        }
        std::string_view rest(bytes, static_cast<std::size_t>(count));
        state = head.take(rest);
        // In a TLS tunnel the client sends first: bytes that follow a 2xx head cannot be from the target.
        const bool stray = state == response_head::state::finished && head.status() / 100 == 2 && !rest.empty();
        if (stray || state == response_head::state::malformed || state == response_head::state::too_large) {
            return tunnel_failure(via, "its response is not valid");
        }
    }
    if (head.status() == 407) {
        return tunnel_failure(via, via.credentials.empty() ? "it requires a name and a password" : "it refused the name and the password");
    }
    if (head.status() / 100 != 2) {
        return tunnel_failure(via, "it refused with status " + std::to_string(head.status()));
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
