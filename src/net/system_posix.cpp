#include "net/system.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::net {

result<std::vector<std::string>> lookup_addresses(const std::string& host) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* raw = nullptr;
    int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &raw);
    if (error != 0) {
        hints.ai_flags = 0;  // on a machine with loopback only, AI_ADDRCONFIG finds nothing
        error = ::getaddrinfo(host.c_str(), nullptr, &hints, &raw);
    }
    if (error != 0) {
        return failure{.code = errc::connection_failed,
                       .message = "the name " + host + " could not be resolved: " + ::gai_strerror(error),
                       .hint = "The service could not be reached (the name " + host + " was not found)."};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> found(raw, &::freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* entry = found.get(); entry != nullptr; entry = entry->ai_next) {
        char text[NI_MAXHOST] = {};
        if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0 &&
            std::find(addresses.begin(), addresses.end(), text) == addresses.end()) {
            addresses.emplace_back(text);
        }
    }
    if (addresses.empty()) {
        return failure{.code = errc::connection_failed,
                       .message = "the name " + host + " has no address",
                       .hint = "The service could not be reached (the name " + host + " has no address)."};
    }
    return addresses;
}

bool is_numeric_address(const std::string& host) {
    in6_addr either = {};
    return ::inet_pton(AF_INET, host.c_str(), &either) == 1 || ::inet_pton(AF_INET6, host.c_str(), &either) == 1;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
