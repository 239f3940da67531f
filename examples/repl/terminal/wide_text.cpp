#include "terminal/wide_text.hpp"

#include <pyaichat/core/text.hpp>

namespace repl {

std::wstring to_wide(std::string_view text) {
    const std::string whole = pyaichat::detail::repair_utf8(text);
    std::wstring out;
    for (std::size_t at = 0; at < whole.size();) {
        const auto first = static_cast<unsigned char>(whole[at++]);
        const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        unsigned int value = more == 0 ? first : first & (0x3FU >> more);
        for (int rest = 0; rest < more; ++rest) {
            value = (value << 6U) | (static_cast<unsigned char>(whole[at++]) & 0x3FU);
        }
        out += static_cast<wchar_t>(value);
    }
    return out;
}

std::string to_utf8(std::wstring_view text) {
    std::string out;
    const auto put = [&](unsigned int byte) { out += static_cast<char>(byte); };
    for (const wchar_t character : text) {
        auto value = static_cast<unsigned int>(character);
        if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
            value = 0xFFFD;
        }
        if (value < 0x80) {
            put(value);
        } else if (value < 0x800) {
            put(0xC0 | (value >> 6U));
            put(0x80 | (value & 0x3FU));
        } else if (value < 0x10000) {
            put(0xE0 | (value >> 12U));
            put(0x80 | ((value >> 6U) & 0x3FU));
            put(0x80 | (value & 0x3FU));
        } else {
            put(0xF0 | (value >> 18U));
            put(0x80 | ((value >> 12U) & 0x3FU));
            put(0x80 | ((value >> 6U) & 0x3FU));
            put(0x80 | (value & 0x3FU));
        }
    }
    return out;
}

}  // namespace repl
