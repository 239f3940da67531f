#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The parts of an absolute `http` or `https` URL.
struct url {
    std::string scheme = {};  ///< lower case
    std::string host = {};    ///< without brackets
    int port = 0;             ///< 80 or 443 if the URL has none
    std::string target = {};  ///< path and query; at least "/"

    /// Returns whether the host is `localhost`, 127.0.0.0/8 or ::1.
    [[nodiscard]] bool loopback() const;
    /// Returns `host:port`, with brackets around an IPv6 address.
    [[nodiscard]] std::string authority() const;
};

/// Parses an absolute `http` or `https` URL. Fails with `invalid_argument`, also for URLs with user information, which no message repeats.
[[nodiscard]] result<url> parse_url(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
