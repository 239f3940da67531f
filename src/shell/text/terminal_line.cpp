#include "shell/text/terminal_line.hpp"

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

bool continues(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

/// The first character of valid UTF-8, which is removed.
char32_t take_first(std::string_view& text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    char32_t code = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1FU : lead < 0xF0 ? lead & 0x0FU : lead & 0x07U;
    for (text.remove_prefix(1); !text.empty() && continues(text.front()); text.remove_prefix(1)) {
        code = code << 6U | (static_cast<unsigned char>(text.front()) & 0x3FU);
    }
    return code;
}

void append(std::string& out, char32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += {static_cast<char>(0xC0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3FU))};
    } else if (code < 0x10000) {
        out += {static_cast<char>(0xE0U | code >> 12U), static_cast<char>(0x80U | (code >> 6U & 0x3FU)),
                static_cast<char>(0x80U | (code & 0x3FU))};
    } else {
        out += {static_cast<char>(0xF0U | code >> 18U), static_cast<char>(0x80U | (code >> 12U & 0x3FU)),
                static_cast<char>(0x80U | (code >> 6U & 0x3FU)), static_cast<char>(0x80U | (code & 0x3FU))};
    }
}

}  // namespace

std::string_view terminal_line::write(std::string_view text) {
    if (!overwriting_) {
        std::size_t size = std::min(text.size(), longest - std::min(longest, bytes_.size()));
        while (size < text.size() && continues(text[size])) {
            ++size;
        }
        bytes_ += text.substr(0, size);
        return text.substr(size);
    }
    while (!text.empty() && cells_.size() < longest) {
        put(take_first(text));
    }
    return text;
}

void terminal_line::put(char32_t character) {
    cells_.resize(std::max(cells_.size(), cursor_ + 1), U' ');
    cells_[cursor_++] = character;
}

void terminal_line::overwrite() {
    if (!overwriting_) {
        overwriting_ = true;
        for (std::string_view rest = bytes_; !rest.empty();) {
            cells_ += take_first(rest);
        }
        bytes_.clear();
        cursor_ = cells_.size();
    }
}

void terminal_line::carriage_return() {
    overwrite();
    cursor_ = 0;
}

void terminal_line::backspace() {
    overwrite();
    cursor_ -= cursor_ > 0 ? 1 : 0;
}

void terminal_line::sequence(std::string_view parameters, char final_byte) {
    if (std::string_view("KGCD").find(final_byte) == std::string_view::npos) {
        return;
    }
    std::size_t count = 0;
    std::from_chars(parameters.data(), parameters.data() + parameters.size(), count);
    overwrite();
    if (final_byte == 'K' && count == 0) {
        cells_.resize(std::min(cells_.size(), cursor_));
    } else if (final_byte == 'K') {
        std::fill_n(cells_.begin(), count == 1 ? std::min(cells_.size(), cursor_ + 1) : cells_.size(), U' ');
    } else {
        const std::size_t steps = std::clamp<std::size_t>(count, 1, longest - 1);
        cursor_ = final_byte == 'G' ? steps - 1 : final_byte == 'C' ? cursor_ + steps : cursor_ - std::min(cursor_, steps);
        cursor_ = std::min(cursor_, longest - 1);
    }
}

std::string terminal_line::text() const {
    if (!overwriting_) {
        return bytes_;
    }
    std::string out;
    for (const char32_t each : cells_) {
        append(out, each);
    }
    // Blanks at the end are what a shorter text has erased.
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

void terminal_line::clear() noexcept {
    bytes_.clear();
    cells_.clear();
    cursor_ = 0;
    overwriting_ = false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
