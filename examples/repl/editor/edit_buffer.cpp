#include "editor/edit_buffer.hpp"

#include "editor/grapheme.hpp"
#include "editor/word.hpp"

#include <algorithm>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t most_kills = 32;

}  // namespace

void edit_buffer::begin_command() {
    last_ = std::exchange(now_, sequence::none);
}

bool edit_buffer::goes_on(sequence which) {
    now_ = which;
    return last_ == which;
}

void edit_buffer::change(std::size_t begin, std::size_t end, std::string_view text, bool typed) {
    if (begin == end && text.empty()) {
        return;
    }
    undo_.add({.at = begin, .removed = text_.substr(begin, end - begin), .inserted = std::string(text), .cursor_before = cursor_}, typed);
    text_.replace(begin, end - begin, text);
    cursor_ = begin + text.size();
    ++version_;
}

void edit_buffer::set(std::string_view text) {
    change(0, text_.size(), text, false);
    cursor_ = text_.size();
}

void edit_buffer::reset(std::string text) {
    text_ = std::move(text);
    cursor_ = text_.size();
    undo_.clear();
    last_ = now_ = sequence::none;
    ++version_;
}

void edit_buffer::insert(std::string_view text) {
    change(cursor_, cursor_, text, false);
}

void edit_buffer::type(std::string_view text) {
    change(cursor_, cursor_, text, true);
}

void edit_buffer::replace(std::size_t begin, std::size_t end, std::string_view text) {
    change(begin, end, text, false);
}

void edit_buffer::move_to(std::size_t at) {
    cursor_ = std::min(at, text_.size());
    undo_.end_group();
}

void edit_buffer::left() {
    move_to(previous_grapheme(text_, cursor_));
}

void edit_buffer::right() {
    move_to(next_grapheme(text_, cursor_));
}

/// Moves into the line that begins at `line`, to the column where the sequence of such moves began.
bool edit_buffer::move_vertically(std::size_t line) {
    const std::size_t begin = line_begin(text_, cursor_);
    if (!goes_on(sequence::vertical)) {
        column_ = text_width(std::string_view(text_).substr(begin, cursor_ - begin));
    }
    const std::size_t end = line_end(text_, line);
    std::size_t at = line;
    for (int column = 0; at < end && column < column_;) {
        const grapheme next = grapheme_at(text_, at);
        column += next.width;
        at = column > column_ ? at : at + next.size;
    }
    move_to(at);
    return true;
}

bool edit_buffer::up() {
    const std::size_t begin = line_begin(text_, cursor_);
    return begin != 0 && move_vertically(line_begin(text_, begin - 1));
}

bool edit_buffer::down() {
    const std::size_t end = line_end(text_, cursor_);
    return end != text_.size() && move_vertically(end + 1);
}

void edit_buffer::backspace() {
    const std::size_t begin = line_begin(text_, cursor_);
    const std::string_view before = std::string_view(text_).substr(begin, cursor_ - begin);
    if (!before.empty() && before.find_first_not_of(' ') == std::string_view::npos) {
        const std::size_t excess = before.size() % indent_width;
        change(cursor_ - (excess != 0 ? excess : indent_width), cursor_, {}, false);
    } else {
        change(previous_grapheme(text_, cursor_), cursor_, {}, false);
    }
}

void edit_buffer::remove() {
    const std::size_t kept = cursor_;
    change(cursor_, next_grapheme(text_, cursor_), {}, false);
    cursor_ = kept;
}

void edit_buffer::transpose_characters() {
    const std::size_t begin = line_begin(text_, cursor_);
    // At the end of a line, the two characters before the cursor change places.
    const std::size_t middle = cursor_ == line_end(text_, cursor_) ? previous_grapheme(text_, cursor_) : cursor_;
    if (middle <= begin || cursor_ == begin) {
        return;
    }
    const std::size_t first = previous_grapheme(text_, middle);
    const std::size_t end = next_grapheme(text_, middle);
    change(first, end, text_.substr(middle, end - middle) + text_.substr(first, middle - first), false);
}

void edit_buffer::transpose_words() {
    const std::size_t second_end = word_end(text_, cursor_);
    const std::size_t second = word_begin(text_, second_end);
    const std::size_t first = word_begin(text_, second);
    const std::size_t first_end = word_end(text_, first);
    if (first == second || first_end > second) {
        return;
    }
    const std::string_view text = text_;
    std::string swapped(text.substr(second, second_end - second));
    swapped += text.substr(first_end, second - first_end);
    swapped += text.substr(first, first_end - first);
    change(first, second_end, swapped, false);
}

void edit_buffer::dedent() {
    const std::size_t begin = line_begin(text_, cursor_);
    std::size_t blanks = 0;
    while (blanks < indent_width && begin + blanks < text_.size() && text_[begin + blanks] == ' ') {
        ++blanks;
    }
    if (blanks == 0 && begin < text_.size() && text_[begin] == '\t') {
        blanks = 1;
    }
    const std::size_t kept = std::max(cursor_, begin + blanks) - blanks;
    change(begin, begin + blanks, {}, false);
    cursor_ = kept;
}

void edit_buffer::kill(std::size_t begin, std::size_t end) {
    if (begin >= end) {
        return;
    }
    const std::string_view part = std::string_view(text_).substr(begin, end - begin);
    if (!goes_on(sequence::kill) || killed_.empty()) {
        killed_.emplace_front(part);
        if (killed_.size() > most_kills) {
            killed_.pop_back();
        }
    } else if (end == cursor_ && begin != cursor_) {
        killed_.front().insert(0, part);
    } else {
        killed_.front() += part;
    }
    change(begin, end, {}, false);
}

void edit_buffer::yank() {
    if (killed_.empty()) {
        return;
    }
    static_cast<void>(goes_on(sequence::yank));
    yanked_ = 0;
    yank_begin_ = cursor_;
    insert(killed_.front());
}

void edit_buffer::yank_pop() {
    if (last_ != sequence::yank || killed_.empty()) {
        return;
    }
    now_ = sequence::yank;
    yanked_ = (yanked_ + 1) % killed_.size();
    replace(yank_begin_, cursor_, killed_[yanked_]);
}

bool edit_buffer::undo() {
    const text_change* change = undo_.undo();
    if (change == nullptr) {
        return false;
    }
    text_.replace(change->at, change->inserted.size(), change->removed);
    cursor_ = change->cursor_before;
    ++version_;
    return true;
}

bool edit_buffer::redo() {
    const text_change* change = undo_.redo();
    if (change == nullptr) {
        return false;
    }
    text_.replace(change->at, change->removed.size(), change->inserted);
    cursor_ = change->at + change->inserted.size();
    ++version_;
    return true;
}

}  // namespace repl
