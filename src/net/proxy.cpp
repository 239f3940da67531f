#include "net/proxy.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

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
        const bool is_name = target.host.find_first_not_of("0123456789.") != std::string::npos;  // an address has no subdomains
        if (exempt && (any_port || exempt->port == target.port) &&
            (target.host == exempt->host || (is_name && target.host.ends_with("." + exempt->host)))) {
            return true;
        }
    }
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
