#include "python/bounded_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

void append_utf8(std::string& out, char32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    } else if (code < 0x10000) {
        out +=
            {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
    } else {
        out += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
                static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
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
        const std::array<char, 2> text = {'\\', static_cast<char>(c)};
        return ascii({text.data(), text.size()});
    }
    if (c == U'\n' || c == U'\r' || c == U'\t') {
        return ascii(c == U'\n' ? "\\n" : c == U'\r' ? "\\r" : "\\t");
    }
    if (c >= 0x20 && c < 0x7F) {
        const char plain = static_cast<char>(c);
        return ascii({&plain, 1});
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
