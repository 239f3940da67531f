#include "editor/grapheme.hpp"

#include "editor/character_width.hpp"

#include <algorithm>

namespace repl {

namespace {

constexpr char32_t joiner = 0x200D;
constexpr char32_t emoji_selector = 0xFE0F;

bool is_continuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

bool is_flag_letter(char32_t code) noexcept {
    return code >= 0x1F1E6 && code <= 0x1F1FF;
}

bool is_skin_tone(char32_t code) noexcept {
    return code >= 0x1F3FB && code <= 0x1F3FF;
}

bool is_ascii(std::string_view text, std::size_t at) noexcept {
    return static_cast<unsigned char>(text[at]) < 0x80;
}

}  // namespace

utf8_character character_at(std::string_view text, std::size_t at) noexcept {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() - at < size) {
        return {};
    }
    char32_t code = first & (0x7FU >> size);
    for (std::size_t next = 1; next < size; ++next) {
        if (!is_continuation(text[at + next])) {
            return {};
        }
        code = (code << 6U) | (static_cast<unsigned char>(text[at + next]) & 0x3FU);
    }
    const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        return {};
    }
    return {code, size};
}

grapheme grapheme_at(std::string_view text, std::size_t at) noexcept {
    if (is_ascii(text, at) && (at + 1 == text.size() || is_ascii(text, at + 1))) {
        return {.size = 1, .width = text[at] == '\n' ? 0 : 1};
    }
    const utf8_character first = character_at(text, at);
    grapheme out{.size = first.size, .width = character_width(first.code)};
    if (first.code < 0x20) {
        return out;
    }
    bool joined = false;
    bool flag = is_flag_letter(first.code);
    while (at + out.size < text.size()) {
        const utf8_character next = character_at(text, at + out.size);
        const bool pairs = flag && is_flag_letter(next.code);
        if (pairs) {
            out.width = 2;
        } else if (next.code < 0x300 || (!joined && !is_skin_tone(next.code) && character_width(next.code) != 0)) {
            break;
        }
        if (next.code == emoji_selector || (is_skin_tone(next.code) && !joined)) {
            out.width = 2;
        }
        out.doubtful = out.doubtful || pairs || character_width(next.code) != 0 || next.code == emoji_selector;
        out.size += next.size;
        flag = false;
        joined = next.code == joiner;
    }
    out.width = std::max(out.width, 1);  // a mark without a letter is shown on a blank
    return out;
}

std::size_t next_grapheme(std::string_view text, std::size_t at) noexcept {
    return at < text.size() ? at + grapheme_at(text, at).size : text.size();
}

std::size_t previous_grapheme(std::string_view text, std::size_t at) noexcept {
    if (at == 0) {
        return 0;
    }
    if (is_ascii(text, at - 1)) {
        return at - 1;
    }
    // A grapheme is found from its begin only: begin behind the last ASCII character, which is not joined to what precedes it.
    std::size_t begin = at - 1;
    while (begin > 0 && !is_ascii(text, begin)) {
        --begin;
    }
    for (;;) {
        const std::size_t next = next_grapheme(text, begin);
        if (next >= at) {
            return begin;
        }
        begin = next;
    }
}

int text_width(std::string_view text) noexcept {
    int width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const grapheme next = grapheme_at(text, at);
        width += next.width;
        at += next.size;
    }
    return width;
}

}  // namespace repl
