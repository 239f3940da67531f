#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Appends a JSON string in the format of `dump_json`. Invalid UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text);

/// Appends a value in the format of `dump_json`, without its extra copy. Values below `depth` levels become null.
void append_json(std::string& out, const json& value, std::size_t depth = max_json_depth);

/// Appends `,` unless a list or an object has just begun.
void append_comma(std::string& out);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
