#include "shell/text/terminal_reader.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t most_parameters = 64;
/// A longer control string is cut: without this limit, a string without an end would hide everything that follows.
constexpr std::size_t most_string = 4096;
constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr char escape_byte = '\x1B';

unsigned value_of(char byte) noexcept {
    return static_cast<unsigned char>(byte);
}

bool is_plain(char byte) noexcept {
    return value_of(byte) >= 0x20 && value_of(byte) < 0x7F;
}

/// The bytes of the character that begins so, or 0 if none does.
std::size_t length_of(char lead) noexcept {
    const unsigned value = value_of(lead);
    return value >= 0xC2 && value < 0xE0 ? 2U : value >= 0xE0 && value < 0xF0 ? 3U : value >= 0xF0 && value < 0xF5 ? 4U : 0U;
}

std::uint32_t decode_two(std::string_view bytes) noexcept {
    return (value_of(bytes[0]) & 0x1FU) << 6U | (value_of(bytes[1]) & 0x3FU);
}

/// Whether the bytes can be the begin of a valid character.
bool may_continue(std::string_view bytes) noexcept {
    if ((value_of(bytes.back()) & 0xC0U) != 0x80) {
        return false;
    }
    if (bytes.size() != 2) {
        return true;
    }
    const unsigned second = value_of(bytes[1]);
    switch (value_of(bytes[0])) {
        case 0xE0: return second >= 0xA0;  // no overlong forms
        case 0xED: return second < 0xA0;   // no surrogates
        case 0xF0: return second >= 0x90;
        case 0xF4: return second < 0x90;  // nothing above U+10FFFF
        default: return true;
    }
}

}  // namespace

void terminal_reader::feed(std::string_view bytes, terminal_handler& to) {
    while (!bytes.empty()) {
        if (place_ == place::ground && character_.empty() && is_plain(bytes.front())) {
            std::size_t size = 1;
            while (size < bytes.size() && is_plain(bytes[size])) {
                ++size;
            }
            to.text(bytes.substr(0, size));
            bytes.remove_prefix(size);
        } else {
            step(bytes.front(), to);
            bytes.remove_prefix(1);
        }
    }
}

void terminal_reader::finish(terminal_handler& to) {
    give_up_character(to);
    place_ = place::ground;
}

void terminal_reader::step(char byte, terminal_handler& to) {
    if (byte == '\x18' || byte == '\x1A') {  // CAN and SUB end every sequence
        give_up_character(to);
        place_ = place::ground;
        return;
    }
    switch (place_) {
        case place::ground: in_ground(byte, to); return;
        case place::escape:
        case place::intermediate: in_escape(byte, to); return;
        case place::sequence: in_sequence(byte, to); return;
        case place::string:
        case place::string_escape: in_string(byte, to); return;
    }
}

void terminal_reader::in_ground(char byte, terminal_handler& to) {
    if (!character_.empty()) {
        character_ += byte;
        if (!may_continue(character_)) {
            character_.pop_back();
            give_up_character(to);
        } else if (character_.size() < length_of(character_.front())) {
            return;
        } else {
            const std::string whole = std::exchange(character_, {});
            if (whole.size() == 2 && decode_two(whole) < 0xA0) {
                take_character(decode_two(whole), to);
            } else {
                to.text(whole);
            }
            return;
        }
    }
    if (byte == escape_byte) {
        place_ = place::escape;
    } else if (is_plain(byte)) {
        to.text({&byte, 1});
    } else if (value_of(byte) < 0x20) {
        to.control(byte);
    } else if (length_of(byte) != 0) {
        character_ = byte;
    } else if (byte != '\x7F') {
        to.text(replacement);
    }
}

/// One of the controls U+0080 to U+009F, which begin sequences too.
void terminal_reader::take_character(std::uint32_t code, terminal_handler& to) {
    if (code == 0x9B) {
        place_ = place::sequence;
        parameters_.clear();
        overlong_ = false;
    } else if (code == 0x90 || code == 0x98 || code == 0x9D || code == 0x9E || code == 0x9F) {
        begin_string();
    } else if (code == 0x85) {
        to.control('\n');  // NEL
    }
}

void terminal_reader::give_up_character(terminal_handler& to) {
    if (!std::exchange(character_, {}).empty()) {
        to.text(replacement);
    }
}

void terminal_reader::begin_string() {
    place_ = place::string;
    string_size_ = 0;
}

void terminal_reader::in_escape(char byte, terminal_handler& to) {
    const unsigned value = value_of(byte);
    if (byte == escape_byte) {
        place_ = place::escape;
    } else if (value < 0x20) {
        to.control(byte);
    } else if (value >= 0x7F) {
        place_ = place::ground;
        in_ground(byte, to);
    } else if (value < 0x30) {
        place_ = place::intermediate;
    } else if (place_ == place::escape && byte == '[') {
        take_character(0x9B, to);
    } else if (place_ == place::escape && std::string_view("]PX^_").find(byte) != std::string_view::npos) {
        begin_string();
    } else {
        place_ = place::ground;
    }
}

void terminal_reader::in_sequence(char byte, terminal_handler& to) {
    const unsigned value = value_of(byte);
    if (byte == escape_byte) {
        place_ = place::escape;
    } else if (value < 0x20) {
        to.control(byte);
    } else if (value >= 0x7F) {
        place_ = place::ground;
        in_ground(byte, to);
    } else if (value < 0x40) {
        overlong_ = overlong_ || parameters_.size() >= most_parameters;
        if (!overlong_) {
            parameters_ += byte;
        }
    } else {
        place_ = place::ground;
        if (!overlong_) {
            to.sequence(parameters_, byte);
        }
    }
}

/// The content is dropped. BEL and ESC \ end it, and so does the end of a line, which no string has.
void terminal_reader::in_string(char byte, terminal_handler& to) {
    if (place_ == place::string_escape && byte != '\\') {
        place_ = place::escape;
        in_escape(byte, to);
    } else if (place_ == place::string_escape || byte == '\a') {
        place_ = place::ground;
    } else if (byte == '\n') {
        place_ = place::ground;
        to.control(byte);
    } else if (byte == escape_byte) {
        place_ = place::string_escape;
    } else if (++string_size_ >= most_string) {
        place_ = place::ground;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
