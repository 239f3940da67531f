#include "lua/manifest/plain_text.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The size of the first character in bytes if it is invisible, else 0. The text is UTF-8 and not empty.
std::size_t unseen_bytes(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto between = [](unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; };
    if (byte(0) < 0x80) {
        return byte(0) < 0x20 || byte(0) == 0x7F ? 1 : 0;
    }
    if (byte(0) == 0xC2) {
        return byte(1) < 0xA0 ? 2 : 0;
    }
    if (byte(0) == 0xD8) {
        return byte(1) == 0x9C ? 2 : 0;  // U+061C
    }
    if (byte(0) == 0xE2 && byte(1) == 0x80) {
        // U+200B, U+200E and F, U+2028 to U+202E
        return byte(2) == 0x8B || between(byte(2), 0x8E, 0x8F) || between(byte(2), 0xA8, 0xAE) ? 3 : 0;
    }
    if (byte(0) == 0xE2 && byte(1) == 0x81) {
        return between(byte(2), 0xA0, 0xAF) ? 3 : 0;  // U+2060 to U+206F
    }
    if (byte(0) == 0xEF) {
        return byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0;  // U+FEFF
    }
    return byte(0) == 0xF3 && byte(1) == 0xA0 && between(byte(2), 0x80, 0x81) ? 4 : 0;  // U+E0000 to U+E007F
}

}  // namespace

bool has_unseen(std::string_view text) noexcept {
    for (; !text.empty(); text.remove_prefix(1)) {
        if (unseen_bytes(text) != 0) {
            return true;
        }
    }
    return false;
}

std::string plain_line(std::string_view text, std::size_t bytes) {
    std::string kept;
    const std::string repaired = pyaichat::detail::repair_utf8(text.substr(0, bytes * 4 + 16));
    for (std::string_view rest = repaired; !rest.empty();) {
        const std::size_t unseen = static_cast<unsigned char>(rest.front()) >= 0x80 ? unseen_bytes(rest) : 0;
        if (unseen == 0) {
            kept.push_back(rest.front());
        }
        rest.remove_prefix(unseen != 0 ? unseen : 1);
    }
    return pyaichat::detail::one_line(kept, bytes);
}

std::string shown_path(std::string_view path) {
    std::string shown;
    const bool escape_all = !pyaichat::detail::is_utf8(path);
    while (!path.empty()) {
        const bool high = static_cast<unsigned char>(path.front()) >= 0x80;
        const std::size_t escaped = escape_all && high ? 1 : unseen_bytes(path);
        for (std::size_t i = 0; i < escaped; ++i) {
            std::array<char, 5> code = {};
            std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(path[i])));
            shown += code.data();
        }
        if (escaped == 0) {
            shown.push_back(path.front());
        }
        path.remove_prefix(escaped != 0 ? escaped : 1);
    }
    return shown;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
