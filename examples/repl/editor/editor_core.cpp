#include "editor/editor_core.hpp"

#include "editor/edit_keys.hpp"
#include "editor/word.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace repl {

namespace {

bool is_arrow(const key& pressed, key_name name) {
    return pressed.name == name && !pressed.alt && !pressed.shift;
}

}  // namespace

void editor_core::begin(entry_context& context, std::vector<entry_history>& histories, std::string text) {
    context_ = &context;
    histories_ = &histories;
    buffer_.reset(std::move(text));
    menu_.close();
    search_ = {};
    note_.clear();
    control_x_ = false;
    fresh_indent_ = 0;
    for (entry_history& each : histories) {
        each.leave();
    }
}

editor_request editor_core::press(const key& pressed, bool burst) {
    if (pressed.name == key_name::unknown) {
        return editor_request::none;
    }
    buffer_.begin_command();
    note_.clear();
    const std::size_t indent = std::exchange(fresh_indent_, 0);
    const bool blank = pressed.name == key_name::tab || (pressed.name == key_name::character && pressed.code == ' ');
    if (indent > 0 && burst && blank && buffer_.cursor() >= indent) {
        // A text that brings its own indentation, from a program or an unmarked paste.
        buffer_.replace(buffer_.cursor() - indent, buffer_.cursor(), {});
    }
    if (is_control(pressed, 'c') || (pressed.name == key_name::character && pressed.control && pressed.code == '\\')) {
        return pressed.code == 'c' ? editor_request::interrupt : editor_request::quit;
    }
    if (search_.active() && search_.press(pressed, buffer_, history())) {
        return editor_request::none;
    }
    return menu_.is_open() ? press_in_menu(pressed, burst) : press_plain(pressed, burst);
}

editor_request editor_core::press_in_menu(const key& pressed, bool burst) {
    if ((pressed.name == key_name::tab && pressed.shift) || is_arrow(pressed, key_name::up)) {
        menu_.choose_previous(buffer_);
        return editor_request::none;
    }
    if (pressed.name == key_name::tab || is_arrow(pressed, key_name::down)) {
        menu_.choose_next(buffer_);
        return editor_request::none;
    }
    if (pressed.name == key_name::escape || is_control(pressed, 'g')) {
        menu_.cancel(buffer_);
        return editor_request::none;
    }
    menu_.close();
    if (pressed.name == key_name::enter && menu_.has_choice()) {
        return editor_request::none;
    }
    return press_plain(pressed, burst);
}

editor_request editor_core::press_plain(const key& pressed, bool burst) {
    if (std::exchange(control_x_, false)) {
        if (is_control(pressed, 'e')) {
            return editor_request::open_editor;
        }
        if (is_control(pressed, 'u')) {
            buffer_.undo();
        }
        return editor_request::none;
    }
    switch (pressed.name) {
        case key_name::enter: return enter(burst, pressed.alt);
        case key_name::paste: return paste(pressed.text);
        case key_name::tab: pressed.shift ? buffer_.dedent() : tab(burst); return editor_request::none;
        case key_name::up:
        case key_name::down:
        case key_name::page_up:
        case key_name::page_down: show_history(pressed); return editor_request::none;
        case key_name::function:
            if (pressed.code == 1) {
                describe();
            }
            return editor_request::none;
        case key_name::character:
            if (pressed.control || pressed.alt) {
                return control_key(pressed, burst);
            }
            break;
        default: break;
    }
    if (!accept_suggestion(pressed)) {
        const std::uint64_t version = buffer_.version();
        edit_by_key(pressed, buffer_);
        if (buffer_.version() != version) {
            history().leave();
        }
    }
    return editor_request::none;
}

editor_request editor_core::control_key(const key& pressed, bool burst) {
    if (is_control(pressed, 'd') && (buffer_.text().empty() || buffer_.at_end())) {
        return end_of_input();
    }
    if (is_control(pressed, 'l')) {
        return editor_request::clear_screen;
    }
    if (is_control(pressed, 'z')) {
        return editor_request::suspend;
    }
    if (is_control(pressed, 'o')) {
        new_line(!burst);
    } else if (is_control(pressed, 'r') || is_control(pressed, 's')) {
        search_.start(buffer_, history());
    } else if (is_control(pressed, 'x')) {
        control_x_ = true;
    } else if (is_control(pressed, 'p') || is_control(pressed, 'n')) {
        show_history({.name = pressed.code == 'p' ? key_name::up : key_name::down});
    } else if (is_alt(pressed, '<')) {
        show(history().oldest(buffer_.text()));
    } else if (is_alt(pressed, '>')) {
        show(history().draft());
    } else if (is_alt(pressed, 'p')) {
        history().leave();
        toggle_mode();
    } else if (is_alt(pressed, 'h')) {
        describe();
    } else if (!accept_suggestion(pressed)) {
        const std::uint64_t version = buffer_.version();
        edit_by_key(pressed, buffer_);
        if (buffer_.version() != version) {
            history().leave();
        }
    }
    return editor_request::none;
}

editor_request editor_core::enter(bool burst, bool forced) {
    const std::string& text = buffer_.text();
    const bool last_line = line_end(text, buffer_.cursor()) == text.size();
    const bool one_line = text.find('\n') == std::string::npos;
    if (context_->single_line() || forced || ((last_line || one_line) && context_->judge(text).complete)) {
        buffer_.move_to(text.size());
        return editor_request::accept;
    }
    new_line(!burst);
    return editor_request::none;
}

void editor_core::new_line(bool indented) {
    if (context_->single_line()) {
        return;
    }
    std::string indent;
    if (indented) {
        indent = context_->judge(std::string_view(buffer_.text()).substr(0, buffer_.cursor())).indent;
    }
    buffer_.insert("\n" + indent);
    fresh_indent_ = indent.size();
    history().leave();
}

/// Ctrl-D leaves on an empty entry only. In a block whose last line is blank it ends the block.
editor_request editor_core::end_of_input() {
    const std::string& text = buffer_.text();
    if (text.empty()) {
        return editor_request::close;
    }
    const std::size_t begin = line_begin(text, text.size());
    if (begin > 0 && pyaichat::detail::is_blank(std::string_view(text).substr(begin))) {
        return editor_request::accept;
    }
    return editor_request::none;
}

/// A paste is one edit. Its last line end counts as Enter if the text is complete.
editor_request editor_core::paste(std::string text) {
    history().leave();
    if (context_->single_line()) {
        std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
        buffer_.insert(text);
        return editor_request::none;
    }
    const bool ends_line = text.ends_with('\n') && buffer_.at_end();
    buffer_.insert(text);
    if (!ends_line || pyaichat::detail::is_blank(text) || !context_->judge(buffer_.text()).complete) {
        return editor_request::none;
    }
    buffer_.set(std::string(without_blank_end(buffer_.text())));
    return editor_request::accept;
}

void editor_core::tab(bool burst) {
    const std::string_view text = buffer_.text();
    const std::size_t begin = line_begin(text, buffer_.cursor());
    const std::string_view before = text.substr(begin, buffer_.cursor() - begin);
    if (burst) {
        buffer_.type(context_->single_line() ? " " : "\t");
    } else if (text.empty()) {
        toggle_mode();
    } else if (!context_->single_line() && begin > 0 && pyaichat::detail::is_blank(before)) {
        const std::size_t column = before.size() % edit_buffer::indent_width;
        buffer_.insert(std::string(edit_buffer::indent_width - column, ' '));
    } else {
        menu_.start(context_->complete(text, buffer_.cursor()), buffer_);
        history().leave();
    }
}

void editor_core::show(std::optional<std::string> entry) {
    if (entry) {
        buffer_.set(*entry);
    }
}

/// Up and Down go through the lines of an entry, and from its first and last line to other entries. While they go through entries, each
/// press shows another one.
void editor_core::show_history(const key& pressed) {
    const bool back = pressed.name == key_name::up || pressed.name == key_name::page_up;
    const bool entries_only = pressed.control || pressed.alt || pressed.name == key_name::page_up || pressed.name == key_name::page_down;
    const bool browsing = history().browsing() && buffer_.at_end();
    if (!entries_only && !browsing && (back ? buffer_.up() : buffer_.down())) {
        return;
    }
    show(back ? history().older(buffer_.text(), !buffer_.text().empty()) : history().newer(buffer_.text()));
}

bool editor_core::accept_suggestion(const key& pressed) {
    const bool accepts = pressed.name == key_name::right || pressed.name == key_name::end || is_control(pressed, 'e') ||
                         is_control(pressed, 'f') || is_alt(pressed, 'f');
    if (!accepts || !buffer_.at_end()) {
        return false;
    }
    const std::string rest(suggestion());
    if (rest.empty()) {
        return false;
    }
    const bool by_word = is_alt(pressed, 'f') || (pressed.name == key_name::right && (pressed.control || pressed.alt));
    buffer_.insert(by_word ? std::string_view(rest).substr(0, word_end(rest, 0)) : std::string_view(rest));
    return true;
}

void editor_core::toggle_mode() {
    const std::string offered = context_->toggle_mode();
    if (buffer_.text().empty() && !offered.empty()) {
        buffer_.set(offered);
    }
    spans_version_ = ~buffer_.version();
}

void editor_core::describe() {
    note_ = context_->describe(buffer_.text(), buffer_.cursor());
    if (note_.empty()) {
        note_ = "nothing is known about this";
    }
}

}  // namespace repl
