#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// An absolute `http` or `https` URL in parts.
struct url {
    std::string scheme = {};  ///< lower case
    std::string host = {};    ///< without brackets
    int port = 0;             ///< the scheme's own when none was given
    std::string target = {};  ///< path and query, "/" at least

    [[nodiscard]] bool loopback() const;
    /// `host:port`, an IPv6 address in brackets.
    [[nodiscard]] std::string authority() const;
};

/// Fails with `invalid_argument`; the message names what is wrong, never user information that was in the URL (which is refused).
[[nodiscard]] result<url> parse_url(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
