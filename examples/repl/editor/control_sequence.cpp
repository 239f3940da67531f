#include "editor/control_sequence.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace repl {

namespace {

/// The numbers of the parameters, such as "3;5". Both are 0 if they are missing.
struct numbers {
    unsigned first = 0;
    unsigned second = 0;
    unsigned third = 0;
    bool valid = true;
};

numbers parse_numbers(std::string_view parameters) {
    std::array<unsigned, 3> values{};
    std::size_t index = 0;
    for (const char c : parameters) {
        if (c == ';') {
            ++index;
        } else if (!pyaichat::detail::is_digit(c) || index >= values.size()) {
            return {.valid = false};
        } else {
            values[index] = std::min(values[index] * 10 + static_cast<unsigned>(c - '0'), 100000U);
        }
    }
    return {.first = values[0], .second = values[1], .third = values[2]};
}

/// xterm adds 1 to the bits of the modifiers: 1 is Shift, 2 Alt, 4 Ctrl, 8 Meta.
key modified(key pressed, unsigned modifiers) {
    const unsigned bits = modifiers > 0 ? modifiers - 1 : 0;
    pressed.shift = pressed.shift || (bits & 1U) != 0;
    pressed.alt = (bits & (2U | 8U)) != 0;
    pressed.control = pressed.control || (bits & 4U) != 0;
    return pressed;
}

key named(key_name name) {
    return {.name = name};
}

key function_key(unsigned number) {
    return {.name = key_name::function, .code = number};
}

key key_of_letter(char last) {
    switch (last) {
        case 'A': return named(key_name::up);
        case 'B': return named(key_name::down);
        case 'C': return named(key_name::right);
        case 'D': return named(key_name::left);
        case 'F': return named(key_name::end);
        case 'H': return named(key_name::home);
        case 'P':
        case 'Q':
        case 'R':
        case 'S': return function_key(static_cast<unsigned>(last - 'P') + 1);
        case 'Z': return {.name = key_name::tab, .shift = true};
        case 'a': return {.name = key_name::up, .shift = true};
        case 'b': return {.name = key_name::down, .shift = true};
        case 'c': return {.name = key_name::right, .shift = true};
        case 'd': return {.name = key_name::left, .shift = true};
        default: return {};
    }
}

key key_of_number(unsigned number) {
    switch (number) {
        case 1:
        case 7: return named(key_name::home);
        case 2: return named(key_name::insert);
        case 3: return named(key_name::remove);
        case 4:
        case 8: return named(key_name::end);
        case 5: return named(key_name::page_up);
        case 6: return named(key_name::page_down);
        default: break;
    }
    // F1 to F12 have the numbers 11 to 24, with gaps.
    constexpr auto functions = std::to_array<unsigned>({11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24});
    const auto* const found = std::ranges::find(functions, number);
    return found == functions.end() ? key{} : function_key(static_cast<unsigned>(found - functions.begin()) + 1);
}

/// The key of a character that xterm reports with its modifiers: ESC [ 27 ; modifiers ; code ~
key key_of_character(unsigned code) {
    switch (code) {
        case 9: return named(key_name::tab);
        case 13: return named(key_name::enter);
        case 27: return named(key_name::escape);
        case 8:
        case 127: return named(key_name::backspace);
        default: return code >= 0x20 && code < 0x7F ? key{.name = key_name::character, .code = code} : key{};
    }
}

}  // namespace

key key_of_control_sequence(std::string_view parameters, char last) {
    const numbers parsed = parse_numbers(parameters);
    if (!parsed.valid) {
        return {};
    }
    const bool rxvt_modifier = last == '^' || last == '$' || last == '@';
    if (last != '~' && !rxvt_modifier) {
        return parsed.first > 1 ? key{} : modified(key_of_letter(last), parsed.second);
    }
    key pressed = parsed.first == 27 ? key_of_character(parsed.third) : key_of_number(parsed.first);
    if (rxvt_modifier) {
        pressed.control = last != '$';
        pressed.shift = last != '^';
        return pressed;
    }
    return modified(pressed, parsed.second);
}

key key_of_single_shift(std::string_view parameters, char last) {
    const numbers parsed = parse_numbers(parameters);
    if (last == 'M') {
        return named(key_name::enter);  // of the number pad
    }
    if (last >= 'a' && last <= 'd') {  // rxvt: Ctrl with an arrow
        key pressed = key_of_letter(static_cast<char>(last - 'a' + 'A'));
        pressed.control = true;
        return pressed;
    }
    if (last >= 'j' && last <= 'y') {  // the number pad: * + , - . / 0 to 9
        return {.name = key_name::character, .code = static_cast<char32_t>(last - 'j' + '*')};
    }
    return modified(key_of_letter(last), parsed.second != 0 ? parsed.second : parsed.first);
}

key function_key_of_linux(char last) {
    return last >= 'A' && last <= 'E' ? function_key(static_cast<unsigned>(last - 'A') + 1) : key{};
}

}  // namespace repl
