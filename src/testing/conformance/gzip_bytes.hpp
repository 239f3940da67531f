#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Returns a gzip file (RFC 1952) that holds the text uncompressed. At most 65,535 bytes.
[[nodiscard]] std::string gzip_of(std::string_view text);

/// Returns a small gzip file that expands to at least so many equal bytes.
[[nodiscard]] std::string gzip_of_blanks(std::size_t bytes);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
