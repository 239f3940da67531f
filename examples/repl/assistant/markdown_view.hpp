#pragma once
#include "assistant/inline_markdown.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// A fenced block of an answer.
struct code_block {
    std::string language = {};  ///< as written behind the fence; may be empty
    std::string code = {};      ///< without the last line end
};

/// Turns Markdown that streams in into text for a terminal. Output is only appended, never rewritten: a piece is held back until its
/// style is decided, at most to the end of its line; a table until it is complete. The output does not depend on how the text was cut into
/// pieces. Control characters are removed.
class markdown_view {
public:
    struct settings {
        bool styled = true;       ///< otherwise the text stays as it is
        bool only_code = false;   ///< only fenced code is Markdown; all other text stays as it is
        std::size_t columns = 0;  ///< of the terminal; 0 = unknown
    };

    explicit markdown_view(settings chosen) : settings_(chosen) {}

    /// Returns the output for the next piece of text.
    [[nodiscard]] std::string feed(std::string_view piece);
    /// Returns the output for what is held back, and ends the text. The next piece begins a new text.
    [[nodiscard]] std::string finish();

    /// The fenced blocks of all texts so far, in the order of their numbers, which count from 1.
    [[nodiscard]] const std::vector<code_block>& code_blocks() const noexcept { return blocks_; }

private:
    enum class place : unsigned char { line_begin, in_line, in_code };

    [[nodiscard]] std::string take_output();
    void read_character(const std::string& character);
    void read_begin(bool ended);
    /// Decides about the begin of a line. Returns false if it takes more text.
    bool decide_line(bool ended);
    void begin_text(std::size_t skipped, const std::string& prefix, const std::string& codes);
    void begin_code(std::string_view opening);
    void read_code_line();
    void drain(bool ended);
    void end_line();
    void flush_table();
    void put(const std::string& codes, std::string_view text);

    settings settings_;
    place place_ = place::line_begin;
    std::string bytes_;       // of a character that is not complete
    std::string held_;        // of this line: not decided yet
    std::string line_codes_;  // the style of this line
    char before_ = '\0';      // the last character before `held_`, in a line
    bool quoted_ = false;     // this line is in a quote
    std::vector<std::string> table_;
    std::size_t table_bytes_ = 0;
    std::string fence_;                // the marks that end the code block
    std::size_t code_indent_ = 0;      // of the fence
    std::size_t statement_begin_ = 0;  // in the code: what is highlighted together
    bool code_begun_ = false;          // the block has a line
    std::vector<code_block> blocks_;
    std::string out_;
    std::string raw_;
    std::string codes_;  // the style that the terminal has now
};

}  // namespace repl
