#include "editor/word.hpp"

#include <pyaichat/core/text.hpp>

namespace repl {

namespace {

bool in_word(char byte) noexcept {
    return pyaichat::detail::is_letter(byte) || pyaichat::detail::is_digit(byte) || byte == '_' || static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace

std::size_t word_end(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && !in_word(text[at])) {
        ++at;
    }
    while (at < text.size() && in_word(text[at])) {
        ++at;
    }
    return at;
}

std::size_t word_begin(std::string_view text, std::size_t at) noexcept {
    while (at > 0 && !in_word(text[at - 1])) {
        --at;
    }
    while (at > 0 && in_word(text[at - 1])) {
        --at;
    }
    return at;
}

std::size_t blank_word_begin(std::string_view text, std::size_t at) noexcept {
    while (at > 0 && pyaichat::detail::is_space(text[at - 1])) {
        --at;
    }
    while (at > 0 && !pyaichat::detail::is_space(text[at - 1])) {
        --at;
    }
    return at;
}

std::size_t line_begin(std::string_view text, std::size_t at) noexcept {
    return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

std::size_t line_end(std::string_view text, std::size_t at) noexcept {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
}

std::string_view without_blank_end(std::string_view text) noexcept {
    for (;;) {
        const std::size_t begin = line_begin(text, text.size());
        if (begin == 0 || !pyaichat::detail::is_blank(text.substr(begin))) {
            return text;
        }
        text = text.substr(0, begin - 1);
    }
}

}  // namespace repl
