#pragma once
#include <string>
#include <string_view>

/// The formats that services compress with.
enum class zlib_format : unsigned char { gzip, zlib, bare };

/// Compresses a text.
std::string compressed(std::string_view text, zlib_format format);
