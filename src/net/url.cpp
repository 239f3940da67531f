#include <pyaichat/core/text.hpp>
#include <pyaichat/net/url.hpp>

#include "schema/format_checks.hpp"

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

failure refused(std::string why) {
    return {.code = errc::invalid_argument,
            .message = "not a usable URL: " + std::move(why),
            .hint = "Give an absolute URL such as https://host or http://127.0.0.1:8080."};
}

bool only_has(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == std::string_view::npos;
}

}  // namespace

bool url::loopback() const {
    if (host == "localhost" || host == "::1") {
        return true;
    }
    // Whatever only looks like an address is a name for the resolver, which may know another host by it.
    return host.starts_with("127.") && detail::is_ipv4(host);
}

std::string url::authority() const {
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

result<url> parse_url(std::string_view text) {
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!printable) {
        return refused("it has a space, a control character or a byte that is not ASCII");
    }
    url out;
    const std::size_t colon = text.find("://");
    if (colon == std::string_view::npos) {
        return refused("it has no scheme");
    }
    out.scheme = detail::ascii_lower(text.substr(0, colon));
    if (out.scheme != "http" && out.scheme != "https") {
        return refused("the scheme is neither http nor https");
    }
    std::string_view rest = text.substr(colon + 3);
    const std::size_t path = rest.find_first_of("/?#");
    std::string_view authority = rest.substr(0, path);
    out.target = path == std::string_view::npos ? std::string() : std::string(rest.substr(path));
    out.target.erase(std::min(out.target.find('#'), out.target.size()));
    if (!out.target.starts_with('/')) {
        out.target.insert(0, 1, '/');
    }
    if (authority.find('@') != std::string_view::npos) {
        return refused("it holds user information");
    }

    std::string_view port;
    bool valid = false;
    if (authority.starts_with('[')) {
        const std::size_t close = authority.find(']');
        if (close == std::string_view::npos) {
            return refused("the bracket of the address is not closed");
        }
        out.host = detail::ascii_lower(authority.substr(1, close - 1));
        port = authority.substr(close + 1);
        valid =
            out.host.find(':') != std::string::npos && only_has(out.host, "0123456789abcdef:.") && (port.empty() || port.front() == ':');
    } else {
        const std::size_t end = std::min(authority.find(':'), authority.size());
        out.host = detail::ascii_lower(authority.substr(0, end));
        port = authority.substr(end);
        valid = !out.host.empty() && only_has(out.host, "0123456789abcdefghijklmnopqrstuvwxyz.-_");
    }
    if (!valid) {
        return refused("the host is missing or malformed");
    }
    if (port.empty()) {
        out.port = out.scheme == "https" ? 443 : 80;
        return out;
    }
    const auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), out.port);
    if (error != std::errc() || end != port.data() + port.size() || out.port < 1 || out.port > 65535) {
        return refused("the port is not a number from 1 to 65535");
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
