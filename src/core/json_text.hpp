#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Appends a JSON string in the format of `dump_json`. Invalid UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text);

/// How to write objects with a member `$ref`, such as a JSON Schema.
enum class references : unsigned char {
    kept,
    as_text,  ///< as a string with the JSON of the object
};

/// Appends a value in the format of `dump_json`, without its extra copy. Values below `depth` levels become null.
void append_json(std::string& out, const json& value, std::size_t depth = max_json_depth, references form = references::kept);

/// Appends a member of an object and a comma.
void append_member(std::string& out, std::string_view name, const json& value);

/// Appends `,` unless a list or an object has just begun.
void append_comma(std::string& out);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
