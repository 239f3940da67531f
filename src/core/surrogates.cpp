#include "core/surrogates.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view first_bytes = "\xF4\x8F";  // of U+10F000 to U+10FFFF
constexpr std::size_t length = 4;
constexpr unsigned first_low = 0xDC00;

/// Returns the code unit of the private character at `at`, or 0.
unsigned unit_at(std::string_view text, std::size_t at) noexcept {
    const std::string_view bytes = text.substr(std::min(at, text.size()), length);
    if (bytes.size() < length || !bytes.starts_with(first_bytes) || static_cast<unsigned char>(bytes[2]) < 0xA0) {
        return 0;
    }
    return 0xD000 + ((static_cast<unsigned char>(bytes[2]) & 0x3Fu) << 6 | (static_cast<unsigned char>(bytes[3]) & 0x3Fu));
}

/// Replaces each half, from `at` on, by what `write(out, unit, next)` appends. It returns how many halves it has taken; `next` is the unit
/// of the half behind, or 0.
template <class Write>
void replace_halves(std::string& text, std::size_t at, Write write) {
    at = text.find(first_bytes, at);
    if (at == std::string::npos) {
        return;
    }
    std::string out(text, 0, at);
    while (at < text.size()) {
        if (const unsigned unit = unit_at(text, at); unit != 0) {
            at += length * write(out, unit, unit_at(text, at + length));
        } else {
            out += text[at++];
        }
    }
    text = std::move(out);
}

}  // namespace

void append_surrogate(std::string& text, unsigned unit) {
    text.append(first_bytes);
    text += static_cast<char>(0x80u | ((unit >> 6) & 0x3Fu));
    text += static_cast<char>(0x80u | (unit & 0x3Fu));
}

std::string join_surrogates(std::string text) {
    replace_halves(text, 0, [](std::string& out, unsigned unit, unsigned next) -> std::size_t {
        if (unit >= first_low || next < first_low) {
            append_surrogate(out, unit);
            return 1;
        }
        const unsigned code = 0x10000u + ((unit - 0xD800u) << 10) + (next - first_low);
        for (const unsigned byte :
             std::array{0xF0u | (code >> 18), 0x80u | ((code >> 12) & 0x3Fu), 0x80u | ((code >> 6) & 0x3Fu), 0x80u | (code & 0x3Fu)}) {
            out += static_cast<char>(byte);
        }
        return 2;
    });
    return text;
}

std::string replace_surrogates(std::string text) {
    replace_halves(text, 0, [](std::string& out, unsigned, unsigned) -> std::size_t {
        out += "\xEF\xBF\xBD";
        return 1;
    });
    return text;
}

void escape_surrogates(std::string& json_text, std::size_t begin) {
    replace_halves(json_text, begin, [](std::string& out, unsigned unit, unsigned) -> std::size_t {
        constexpr std::string_view digits = "0123456789abcdef";
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) {
            out += digits[(unit >> shift) & 0xFu];
        }
        return 1;
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
