#include "python/look/bounded_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

void append_utf8(std::string& out, char32_t code) {
    const unsigned following = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes of six bits each
    constexpr std::array<unsigned, 4> marks = {0x00, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(marks[following] | code >> (6 * following));
    for (unsigned left = following; left > 0; --left) {
        out += static_cast<char>(0x80 | (code >> (6 * (left - 1)) & 0x3F));
    }
}

void bounded_text::ascii(std::string_view text) {
    const std::size_t fits = full() ? 0 : std::min(text.size(), max_chars_ - length_);
    text_ += text.substr(0, fits);
    advance(text.size());
}

void bounded_text::utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size() && !done();) {
        std::size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
            ++end;
        }
        if (!full()) {
            text_ += text.substr(at, end - at);
        }
        advance(1);
        at = end;
    }
}

void bounded_text::escaped(char32_t c, char quote, bool printable) {
    if (c == U'\\' || c == static_cast<char32_t>(quote)) {
        return ascii(std::string{'\\', static_cast<char>(c)});
    }
    if (c == U'\n' || c == U'\r' || c == U'\t') {
        return ascii(c == U'\n' ? "\\n" : c == U'\r' ? "\\r" : "\\t");
    }
    if (c >= 0x20 && c < 0x7F) {
        return ascii(std::string(1, static_cast<char>(c)));
    }
    if (c < 0x80 || !printable) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), c <= 0xFF ? "\\x%02x" : c <= 0xFFFF ? "\\u%04x" : "\\U%08x", static_cast<unsigned>(c));
        return ascii(text.data());
    }
    std::string bytes;
    append_utf8(bytes, c);
    utf8(bytes);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
