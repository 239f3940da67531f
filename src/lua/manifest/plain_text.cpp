#include "lua/manifest/plain_text.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// Invisible characters in UTF-8: the bytes before the last one, and the range of the last one.
struct unseen_range {
    std::string_view before;
    unsigned char first;
    unsigned char last;
};

constexpr auto unseen_ranges = std::to_array<unseen_range>({
    {"", 0x00, 0x1F},
    {"", 0x7F, 0x7F},
    {"\xC2", 0x80, 0x9F},
    {"\xD8", 0x9C, 0x9C},          // U+061C
    {"\xE2\x80", 0x8B, 0x8B},      // U+200B
    {"\xE2\x80", 0x8E, 0x8F},      // U+200E and F
    {"\xE2\x80", 0xA8, 0xAE},      // U+2028 to U+202E
    {"\xE2\x81", 0xA0, 0xAF},      // U+2060 to U+206F
    {"\xEF\xBB", 0xBF, 0xBF},      // U+FEFF
    {"\xF3\xA0\x80", 0x80, 0xBF},  // U+E0000 to U+E003F
    {"\xF3\xA0\x81", 0x80, 0xBF},  // U+E0040 to U+E007F
});

/// The size of the first character in bytes if it is invisible, else 0. The text is UTF-8.
std::size_t unseen_bytes(std::string_view text) noexcept {
    for (const auto& [before, first, last] : unseen_ranges) {
        const std::size_t at = before.size();
        if (at < text.size() && text.starts_with(before)) {
            const auto byte = static_cast<unsigned char>(text[at]);
            if (first <= byte && byte <= last) {
                return at + 1;
            }
        }
    }
    return 0;
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
