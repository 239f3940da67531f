#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct split_reference {
    std::string_view resource;  ///< before the first `#`
    std::string_view fragment;  ///< after the first `#`
};
[[nodiscard]] split_reference split_fragment(std::string_view reference) noexcept;

/// Resolves a reference against a base URI (RFC 3986, section 5.2). Both have no fragment; the base may be empty or relative.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
