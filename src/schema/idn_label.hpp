#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether a label begins with `xn--`, which only A-labels may.
[[nodiscard]] bool starts_like_a_label(std::string_view label) noexcept;

/// Returns whether an ASCII label that begins with `xn--` encodes a valid U-label (RFC 5891).
[[nodiscard]] bool is_a_label(std::string_view label);

/// Returns the A-label of a valid U-label. A label of ASCII is returned unchanged; empty if a label is not valid. The text is UTF-8.
[[nodiscard]] std::string a_label_of(std::string_view label);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
