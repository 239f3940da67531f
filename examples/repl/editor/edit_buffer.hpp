#pragma once
#include "editor/undo_log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace repl {

/// The text that is edited, its cursor, and what was killed. The text is valid UTF-8 of one or more lines; the cursor is never inside a
/// character.
class edit_buffer {
public:
    static constexpr std::size_t indent_width = 4;

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] std::size_t cursor() const noexcept { return cursor_; }
    [[nodiscard]] bool at_end() const noexcept { return cursor_ == text_.size(); }
    /// Changes with each change of the text.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

    /// Replaces everything; can be undone.
    void set(std::string_view text);
    /// Replaces everything and forgets what could be undone. What was killed stays.
    void reset(std::string text = {});
    void insert(std::string_view text);
    /// Inserts what was typed: one undo reverts a word.
    void type(std::string_view text);
    void replace(std::size_t begin, std::size_t end, std::string_view text);

    void move_to(std::size_t at);
    void left();
    void right();
    /// One line up or down, in the same column. Returns false in the first or last line.
    bool up();
    bool down();

    /// Deletes before the cursor; in the indentation of a line up to the level before.
    void backspace();
    void remove();
    void transpose_characters();
    void transpose_words();
    /// Removes one level of the line's indentation.
    void dedent();

    /// Deletes the range and keeps it for `yank`. Kills one after the other are kept together.
    void kill(std::size_t begin, std::size_t end);
    void yank();
    /// Replaces what the last command, `yank` or `yank_pop`, has inserted by what was killed before it.
    void yank_pop();

    bool undo();
    bool redo();

    /// Tells the buffer that another command begins. Ends the sequence of kills or yanks unless the command continues it.
    void begin_command();

private:
    enum class sequence : unsigned char { none, kill, yank, vertical };

    void change(std::size_t begin, std::size_t end, std::string_view text, bool typed);
    [[nodiscard]] bool goes_on(sequence which);
    bool move_vertically(std::size_t line);

    std::string text_;
    std::size_t cursor_ = 0;
    std::uint64_t version_ = 0;
    undo_log undo_;
    std::deque<std::string> killed_;  // the newest is first
    std::size_t yanked_ = 0;          // the index of the last one that was yanked
    std::size_t yank_begin_ = 0;
    sequence last_ = sequence::none;
    sequence now_ = sequence::none;
    int column_ = 0;  // that a sequence of up and down keeps
};

}  // namespace repl
