#include "core/fingerprint.hpp"

#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::uint64_t fingerprint(std::string_view text, std::uint64_t before) noexcept {
    for (const char c : text) {
        before = (before ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    }
    return before;
}

std::uint64_t fingerprint_of_bits(std::uint64_t number, std::uint64_t before) noexcept {
    for (int byte = 0; byte < 8; ++byte, number >>= 8) {
        before = (before ^ (number & 255)) * 0x100000001B3u;
    }
    return before;
}

std::string hexadecimal(std::uint64_t value) {
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; value >>= 4) {
        text[i] = "0123456789abcdef"[value & 15];
    }
    return text;
}

bool read_hexadecimal(std::string_view text, std::uint64_t& value) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end == text.data() + text.size() && text.size() == 16;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
