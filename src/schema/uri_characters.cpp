#include "schema/uri_characters.hpp"

#include <pyaichat/core/text.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Removes one character of more than one byte. The text is UTF-8.
std::uint32_t take_high(std::string_view& text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length && i < text.size(); ++i) {
        value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    text.remove_prefix(length < text.size() ? length : text.size());
    return value;
}

bool is_private(std::uint32_t c) noexcept {
    return (c >= 0xe000 && c <= 0xf8ff) || c >= 0xf0000;
}

/// No control, private, specials or noncharacters.
bool is_international(std::uint32_t c) noexcept {
    if (c < 0x10000) {
        return c >= 0xa0 && c <= 0xffef && !is_private(c) && !(c >= 0xfdd0 && c <= 0xfdef);
    }
    return c < 0xf0000 && (c & 0xfffe) != 0xfffe && !(c >= 0xe0000 && c < 0xe1000);
}

}  // namespace

bool are_uri_characters(std::string_view text, std::string_view others, const uri_character_options& options) noexcept {
    constexpr std::string_view plain = "-._~!$&'()*+,;=";
    while (!text.empty()) {
        const char c = text.front();
        if (static_cast<unsigned char>(c) >= 0x80) {
            const std::uint32_t high = options.international ? take_high(text) : 0;
            if (!is_international(high) && !(options.private_use && is_private(high))) {
                return false;
            }
            continue;
        }
        if (c == '%') {
            if (!options.escapes || text.size() < 3 || hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0) {
                return false;
            }
            text.remove_prefix(3);
            continue;
        }
        const bool is_plain = is_letter(c) || is_digit(c) || (!options.only_names && plain.find(c) != plain.npos);
        if (!is_plain && others.find(c) == others.npos) {
            return false;
        }
        text.remove_prefix(1);
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
