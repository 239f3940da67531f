#include "lua/plain_text.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline v0::lua::detail {

namespace {

/// Whether U+0080 to U+009F begins here, in UTF-8.
bool is_high_control(std::string_view text, std::size_t at) noexcept {
    return static_cast<unsigned char>(text[at]) == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

}  // namespace

bool has_control(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 || byte == 0x7F || is_high_control(text, i)) {
            return true;
        }
    }
    return false;
}

std::string plain_line(std::string_view text, std::size_t bytes) {
    std::string kept;
    const std::string repaired = repair_utf8(text.substr(0, bytes * 4 + 16));
    for (std::size_t i = 0; i < repaired.size(); ++i) {
        if (is_high_control(repaired, i)) {
            ++i;
        } else {
            kept.push_back(repaired[i]);
        }
    }
    return one_line(kept, bytes);
}

}  // namespace pyaichat::inline v0::lua::detail
