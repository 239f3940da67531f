#include "shell/rules/visible_text.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

std::size_t character_length(std::string_view text) noexcept {
    for (std::size_t size = 1; size <= 4 && size <= text.size(); ++size) {
        if (is_utf8(text.substr(0, size))) {
            return size;
        }
    }
    return 0;
}

std::uint32_t decode(std::string_view character) noexcept {
    constexpr std::array<unsigned, 5> masks = {0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t code = static_cast<unsigned char>(character.front()) & masks[character.size()];
    for (const char byte : character.substr(1)) {
        code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
    }
    return code;
}

bool is_invisible(std::uint32_t code) noexcept {
    const auto within = [code](std::uint32_t from, std::uint32_t to) { return code >= from && code <= to; };
    return code < 0x20 || within(0x7F, 0xA0) || code == 0xAD || code == 0x34F || code == 0x61C || within(0x115F, 0x1160) ||
           within(0x17B4, 0x17B5) || within(0x180B, 0x180F) || within(0x2000, 0x200F) || within(0x2028, 0x202F) || within(0x205F, 0x206F) ||
           code == 0x2800 || code == 0x3000 || code == 0x3164 || within(0xFE00, 0xFE0F) || code == 0xFEFF || code == 0xFFA0 ||
           within(0xFFF0, 0xFFFB) || within(0xE0000, 0xE0FFF);
}

std::string escaped(std::uint32_t code) {
    switch (code) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: break;
    }
    std::array<char, 16> text = {};
    std::snprintf(text.data(), text.size(), code < 0x80 ? "\\x%02x" : "\\u{%x}", static_cast<unsigned>(code));
    return text.data();
}

}  // namespace

std::string visible_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_length(text);
        if (size == 0) {
            std::array<char, 8> byte = {};
            std::snprintf(byte.data(), byte.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(text.front())));
            out += byte.data();
            text.remove_prefix(1);
            continue;
        }
        const std::string_view character = text.substr(0, size);
        const std::uint32_t code = decode(character);
        out += is_invisible(code) ? escaped(code) : std::string(character);
        text.remove_prefix(size);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
