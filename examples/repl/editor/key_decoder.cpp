#include "editor/key_decoder.hpp"

#include "editor/control_sequence.hpp"
#include "editor/grapheme.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

constexpr char escape_byte = '\033';
constexpr std::string_view paste_end = "\033[201~";
constexpr std::size_t longest_sequence = 4096;  // a longer one is noise

bool is_utf8_start(unsigned char byte) noexcept {
    return byte >= 0xC2 && byte <= 0xF4;
}

key control_character(unsigned char byte) {
    switch (byte) {
        case '\r':
        case '\n': return {.name = key_name::enter};
        case '\t': return {.name = key_name::tab};
        case 0x08:
        case 0x7F: return {.name = key_name::backspace};
        case 0x00: return {.name = key_name::character, .code = ' ', .control = true};
        default: break;
    }
    // 0x01 is Ctrl-A, 0x1F is Ctrl-_.
    const unsigned letter = byte + 0x40U;
    return {.name = key_name::character, .code = letter >= 'A' && letter <= 'Z' ? letter + 0x20U : letter, .control = true};
}

}  // namespace

std::optional<key> key_decoder::next() {
    discard_decoded();
    if (pasting_) {
        return paste();
    }
    if (at_ == bytes_.size()) {
        settled_ = false;
        return std::nullopt;
    }
    return bytes_[at_] == escape_byte ? escape_sequence() : plain_character(false);
}

void key_decoder::discard_decoded() {
    if (at_ == bytes_.size() || at_ > longest_sequence) {
        bytes_.erase(0, at_);
        paste_seen_ -= std::min(paste_seen_, at_);
        at_ = 0;
    }
}

/// A sequence of which only the introducer has come may be the key Alt-[; one with parameters is never typed, so its end is awaited.
std::optional<key> key_decoder::wait_or_drop(bool only_introducer) {
    const bool drop = (settled_ && only_introducer) || bytes_.size() - at_ > longest_sequence;
    settled_ = false;
    if (!drop) {
        return std::nullopt;
    }
    at_ = bytes_.size();
    return key{};
}

std::optional<key> key_decoder::plain_character(bool alt) {
    const auto byte = static_cast<unsigned char>(bytes_[at_]);
    if (byte < 0x20 || byte == 0x7F) {
        ++at_;
        key pressed = control_character(byte);
        pressed.alt = alt;
        return pressed;
    }
    const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0x80 ? 2 : 1;
    const std::string_view rest = std::string_view(bytes_).substr(at_);
    const bool could_grow =
        is_utf8_start(byte) && rest.size() < size &&
        std::ranges::all_of(rest.substr(1), [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) == 0x80; });
    if (could_grow && !settled_) {
        return std::nullopt;
    }
    settled_ = false;
    const utf8_character character = character_at(bytes_, at_);
    at_ += character.size;
    if (character.code >= 0x80 && character.code < 0xA0) {
        return key{};  // an eight-bit control
    }
    return key{.name = key_name::character, .code = character.code, .alt = alt};
}

std::optional<key> key_decoder::escape_sequence() {
    const std::size_t second = at_ + 1;
    if (second == bytes_.size()) {
        if (!settled_) {
            return std::nullopt;
        }
        settled_ = false;
        at_ = second;
        return key{.name = key_name::escape};
    }
    const std::size_t begin = at_;
    switch (bytes_[second]) {
        case '[': return control_sequence(second + 1, false);
        case 'O': return single_shift(second + 1, false);
        case ']':
        case 'P':
        case 'X':
        case '^':
        case '_': return skip_string(second + 1);
        case escape_byte: {
            // Some terminals send Alt with an arrow as ESC and the sequence of the arrow.
            if (second + 1 < bytes_.size() && (bytes_[second + 1] == '[' || bytes_[second + 1] == 'O')) {
                return bytes_[second + 1] == '[' ? control_sequence(second + 2, true) : single_shift(second + 2, true);
            }
            if (second + 1 == bytes_.size() && !settled_) {
                return std::nullopt;
            }
            at_ = second;
            return key{.name = key_name::escape};
        }
        default: break;
    }
    at_ = second;
    std::optional<key> pressed = plain_character(true);
    if (!pressed) {
        at_ = begin;
    }
    return pressed;
}

std::optional<key> key_decoder::control_sequence(std::size_t begin, bool alt) {
    const std::string_view bytes = bytes_;
    // The Linux console sends F1 to F5 as ESC [ [ A to E.
    std::size_t end = begin < bytes.size() && bytes[begin] == '[' ? begin + 1 : begin;
    const bool linux_function = end != begin;
    while (end < bytes.size() && bytes[end] >= 0x20 && bytes[end] < 0x40) {
        ++end;
    }
    if (end == bytes.size()) {
        return wait_or_drop(end == begin);
    }
    settled_ = false;
    if (bytes[end] < 0x20 || bytes[end] >= 0x7F) {  // not a byte of the sequence: it was broken off
        at_ = end;
        return key{};
    }
    const std::string_view parameters = bytes.substr(begin, end - begin);
    const char last = bytes[end];
    const bool mouse_report = parameters.empty() && last == 'M';  // of the old form: three more bytes
    if (mouse_report && bytes.size() - end <= 3) {
        return std::nullopt;
    }
    at_ = end + (mouse_report ? 4 : 1);
    if (parameters == "200" && last == '~') {
        pasting_ = true;
        paste_seen_ = at_;
        return paste();
    }
    if (mouse_report) {
        return key{};
    }
    key pressed = linux_function ? function_key_of_linux(last) : key_of_control_sequence(parameters, last);
    pressed.alt = pressed.alt || (alt && pressed.name != key_name::unknown);
    return pressed;
}

std::optional<key> key_decoder::single_shift(std::size_t begin, bool alt) {
    std::size_t end = begin;
    while (end < bytes_.size() && (pyaichat::detail::is_digit(bytes_[end]) || bytes_[end] == ';')) {
        ++end;
    }
    if (end == bytes_.size()) {
        return wait_or_drop(end == begin);
    }
    settled_ = false;
    if (bytes_[end] < 0x20 || bytes_[end] >= 0x7F) {
        at_ = end;
        return key{};
    }
    at_ = end + 1;
    key pressed = key_of_single_shift(std::string_view(bytes_).substr(begin, end - begin), bytes_[end]);
    pressed.alt = pressed.alt || (alt && pressed.name != key_name::unknown);
    return pressed;
}

/// Skips the text of an operating system command or a device control string, up to its terminator.
std::optional<key> key_decoder::skip_string(std::size_t begin) {
    for (std::size_t end = begin; end < bytes_.size(); ++end) {
        const auto byte = static_cast<unsigned char>(bytes_[end]);
        const bool cancelled = byte == 0x18 || byte == 0x1A || byte == 0x03;
        if (byte == 0x07 || cancelled) {
            settled_ = false;
            at_ = byte == 0x03 ? end : end + 1;  // Ctrl-C is a key of the person
            return key{};
        }
        if (byte == 0x1B && end + 1 < bytes_.size()) {
            settled_ = false;
            at_ = bytes_[end + 1] == '\\' ? end + 2 : end;
            return key{};
        }
    }
    if (bytes_.size() - begin > longest_sequence) {
        bytes_.erase(begin, bytes_.size() - 1 - begin);  // the last byte may be the first of a terminator
    }
    return wait_or_drop(bytes_.size() == begin);
}

std::optional<key> key_decoder::paste() {
    const std::size_t end = bytes_.find(paste_end, std::max(paste_seen_, at_));
    if (end == std::string::npos) {
        paste_seen_ = bytes_.size() - std::min(bytes_.size() - at_, paste_end.size() - 1);
        return std::nullopt;
    }
    key pasted{.name = key_name::paste, .text = pasted_text(std::string_view(bytes_).substr(at_, end - at_))};
    at_ = end + paste_end.size();
    pasting_ = false;
    settled_ = false;
    return pasted;
}

std::string pasted_text(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const auto byte = static_cast<unsigned char>(bytes[at]);
        if (byte == '\r') {
            out += '\n';
            at += at + 1 < bytes.size() && bytes[at + 1] == '\n' ? 1 : 0;
        } else if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7F)) {
            out += bytes[at];
        }
    }
    return pyaichat::detail::is_utf8(out) ? out : pyaichat::detail::repair_utf8(out);
}

}  // namespace repl
