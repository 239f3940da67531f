#include "editor/edit_keys.hpp"

#include "editor/utf8_text.hpp"
#include "editor/word.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cctype>
#include <string>

namespace repl {

namespace {

using command = void (*)(edit_buffer&);

void kill_word_before(edit_buffer& buffer) {
    buffer.kill(word_begin(buffer.text(), buffer.cursor()), buffer.cursor());
}

void kill_word_behind(edit_buffer& buffer) {
    buffer.kill(buffer.cursor(), word_end(buffer.text(), buffer.cursor()));
}

void kill_to_line_end(edit_buffer& buffer) {
    const std::size_t end = line_end(buffer.text(), buffer.cursor());
    const bool takes_line_end = end == buffer.cursor() && end < buffer.text().size();
    buffer.kill(buffer.cursor(), end + (takes_line_end ? 1 : 0));
}

/// Changes the case of the ASCII letters of the next word; the first one and the others.
void change_case(edit_buffer& buffer, int (*first)(int), int (*others)(int)) {
    const std::size_t end = word_end(buffer.text(), buffer.cursor());
    const std::size_t begin = std::max(buffer.cursor(), word_begin(buffer.text(), end));
    std::string word = buffer.text().substr(begin, end - begin);
    int (*convert)(int) = first;
    for (char& c : word) {
        if (pyaichat::detail::is_letter(c)) {
            c = static_cast<char>(convert(c));
            convert = others;
        }
    }
    buffer.replace(begin, end, word);
}

void move_left_by_word(edit_buffer& buffer) {
    buffer.move_to(word_begin(buffer.text(), buffer.cursor()));
}

void move_right_by_word(edit_buffer& buffer) {
    buffer.move_to(word_end(buffer.text(), buffer.cursor()));
}

void move_to_line_begin(edit_buffer& buffer) {
    buffer.move_to(line_begin(buffer.text(), buffer.cursor()));
}

void move_to_line_end(edit_buffer& buffer) {
    buffer.move_to(line_end(buffer.text(), buffer.cursor()));
}

command control_command(char32_t letter) {
    switch (letter) {
        case 'a': return move_to_line_begin;
        case 'b': return [](edit_buffer& buffer) { buffer.left(); };
        case 'd': return [](edit_buffer& buffer) { buffer.remove(); };
        case 'e': return move_to_line_end;
        case 'f': return [](edit_buffer& buffer) { buffer.right(); };
        case 'k': return kill_to_line_end;
        case 't': return [](edit_buffer& buffer) { buffer.transpose_characters(); };
        case 'u': return [](edit_buffer& buffer) { buffer.kill(line_begin(buffer.text(), buffer.cursor()), buffer.cursor()); };
        case 'w': return [](edit_buffer& buffer) { buffer.kill(blank_word_begin(buffer.text(), buffer.cursor()), buffer.cursor()); };
        case 'y': return [](edit_buffer& buffer) { buffer.yank(); };
        case '_': return [](edit_buffer& buffer) { static_cast<void>(buffer.undo()); };
        default: return nullptr;
    }
}

command alt_command(char32_t letter) {
    switch (letter) {
        case 'b': return move_left_by_word;
        case 'c': return [](edit_buffer& buffer) { change_case(buffer, std::toupper, std::tolower); };
        case 'd': return kill_word_behind;
        case 'f': return move_right_by_word;
        case 'l': return [](edit_buffer& buffer) { change_case(buffer, std::tolower, std::tolower); };
        case 't': return [](edit_buffer& buffer) { buffer.transpose_words(); };
        case 'u': return [](edit_buffer& buffer) { change_case(buffer, std::toupper, std::toupper); };
        case 'y': return [](edit_buffer& buffer) { buffer.yank_pop(); };
        case '/': return [](edit_buffer& buffer) { static_cast<void>(buffer.redo()); };
        default: return nullptr;
    }
}

command named_command(const key& pressed) {
    const bool by_word = pressed.control || pressed.alt;
    switch (pressed.name) {
        case key_name::left: return by_word ? move_left_by_word : [](edit_buffer& buffer) { buffer.left(); };
        case key_name::right: return by_word ? move_right_by_word : [](edit_buffer& buffer) { buffer.right(); };
        case key_name::home: return by_word ? [](edit_buffer& buffer) { buffer.move_to(0); } : move_to_line_begin;
        case key_name::end: return by_word ? [](edit_buffer& buffer) { buffer.move_to(buffer.text().size()); } : move_to_line_end;
        case key_name::backspace: return by_word ? kill_word_before : [](edit_buffer& buffer) { buffer.backspace(); };
        case key_name::remove: return by_word ? kill_word_behind : [](edit_buffer& buffer) { buffer.remove(); };
        default: return nullptr;
    }
}

}  // namespace

bool edit_by_key(const key& pressed, edit_buffer& buffer) {
    if (pressed.name == key_name::character && !pressed.control && !pressed.alt) {
        std::string text;
        append_utf8(text, pressed.code);
        buffer.type(text);
        return true;
    }
    command run = nullptr;
    if (pressed.name != key_name::character) {
        run = named_command(pressed);
    } else if (pressed.control != pressed.alt) {
        run = pressed.control ? control_command(pressed.code) : alt_command(pressed.code);
    }
    if (run == nullptr) {
        return false;
    }
    run(buffer);
    return true;
}

}  // namespace repl
