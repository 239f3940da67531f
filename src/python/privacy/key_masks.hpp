#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Replaces the parts of a text that look like keys by `***(looks like a key)`, `a token` or `a private key`: known prefixes, JSON web
/// tokens, PEM private keys, `Bearer` values, and long random texts behind a name such as `password`. It also finds keys behind the escapes
/// of a `repr`, and the beginning of a key at the end of a text that was cut. It is a safety net: it cannot know every kind of key.
[[nodiscard]] std::string mask_keys(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
