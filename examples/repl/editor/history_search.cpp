#include "editor/history_search.hpp"

#include "editor/grapheme.hpp"
#include "editor/utf8_text.hpp"

namespace repl {

void history_search::start(const edit_buffer& buffer, const entry_history& history) {
    active_ = true;
    failed_ = false;
    last_wanted_ = wanted_.empty() ? last_wanted_ : wanted_;
    wanted_.clear();
    at_ = history.entries().size();
    original_ = buffer.text();
    original_cursor_ = buffer.cursor();
}

void history_search::show(std::size_t index, edit_buffer& buffer, const entry_history& history) {
    const std::string& entry = history.entries()[index];
    at_ = index;
    buffer.set(entry);
    buffer.move_to(entry.find(wanted_));
}

/// Searches from an entry (inclusive) to the oldest.
void history_search::find_from(std::size_t from, edit_buffer& buffer, const entry_history& history) {
    if (wanted_.empty()) {
        failed_ = false;
        return;
    }
    const auto found = history.find_older(from + 1, wanted_);
    failed_ = !found;
    if (found) {
        show(*found, buffer, history);
    }
}

void history_search::find_again(bool older, edit_buffer& buffer, const entry_history& history) {
    if (wanted_.empty()) {
        wanted_ = last_wanted_;
        find_from(history.entries().size(), buffer, history);
        return;
    }
    const auto is_other = [&](std::size_t index) { return history.entries()[index] != buffer.text(); };
    auto found = older ? history.find_older(at_, wanted_) : history.find_newer(at_, wanted_);
    while (found && !is_other(*found)) {
        found = older ? history.find_older(*found, wanted_) : history.find_newer(*found, wanted_);
    }
    failed_ = !found;
    if (found) {
        show(*found, buffer, history);
    }
}

bool history_search::press(const key& pressed, edit_buffer& buffer, const entry_history& history) {
    if (is_control(pressed, 'r') || is_control(pressed, 's')) {
        find_again(is_control(pressed, 'r'), buffer, history);
    } else if (is_control(pressed, 'g')) {
        buffer.set(original_);
        buffer.move_to(original_cursor_);
        active_ = false;
    } else if (pressed.name == key_name::backspace && !pressed.alt) {
        wanted_.resize(previous_grapheme(wanted_, wanted_.size()));
        find_from(history.entries().size(), buffer, history);
    } else if (pressed.name == key_name::character && !pressed.control && !pressed.alt) {
        append_utf8(wanted_, pressed.code);
        find_from(at_, buffer, history);
    } else if (pressed.name == key_name::escape) {
        active_ = false;
    } else if (pressed.name != key_name::unknown) {
        active_ = false;
        return false;
    }
    return true;
}

extra_line history_search::row() const {
    const std::string label = failed_ ? "no entry contains: " : "search: ";
    return {.text = label + wanted_, .spans = {{.begin = 0, .end = label.size(), .style = text_style::dimmed}}};
}

}  // namespace repl
