#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct split_reference {
    std::string_view resource;  ///< all before the first `#`
    std::string_view fragment;  ///< all after it
};
[[nodiscard]] split_reference split_fragment(std::string_view reference) noexcept;

/// RFC 3986, section 5.2. Both without fragment; the base may be empty or relative too.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

/// `%41` as `A`; what is no such escape is kept.
[[nodiscard]] std::string percent_decoded(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
