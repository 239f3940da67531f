#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Appends a string as JSON, the way `dump_json` writes it. Invalid UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text);

/// Appends any value, the way `dump_json` writes it, which would write a string of its own to be copied. Below `depth` levels is null.
void append_json(std::string& out, const json& value, std::size_t depth = max_json_depth);

/// Appends `,` unless a list or an object has just begun.
void append_comma(std::string& out);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
