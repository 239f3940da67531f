#pragma once
#include <memory>
#include <string>
#include <vector>

namespace repl {

/// The console as a line editor sees it. Called on the reading thread.
class line_context {
public:
    virtual ~line_context() = default;
    [[nodiscard]] virtual std::string prompt() const = 0;
    /// Whether the line continues a block. Then TAB on a blank line indents.
    [[nodiscard]] virtual bool continuing() const = 0;
    /// Whether an entry is always one line. Then pasted line ends and TABs become blanks, and only Enter ends the entry.
    [[nodiscard]] virtual bool single_line() const = 0;
    /// Switches the mode, and with it the prompt.
    virtual void toggle_mode() = 0;
    /// The index of the mode's history.
    [[nodiscard]] virtual int history() const = 0;
    /// Completions: replacements for the last word of `before`.
    [[nodiscard]] virtual std::vector<std::string> complete(const std::string& before) = 0;
};

/// The result of reading one line.
struct entered_line {
    enum class kind { line, interrupted, closed };
    kind what = kind::closed;
    std::string text = {};  ///< UTF-8, without the line end
    bool pasted = false;    ///< pasted or not from a terminal: nobody saw the output of the lines before it
};

/// Reads lines for the console.
class line_editor {
public:
    virtual ~line_editor() = default;
    [[nodiscard]] virtual entered_line read(line_context& context) = 0;
    /// Saves the histories.
    virtual void save() {}
};

/// Makes an editor for a pipe, a file or a dumb terminal. `prompts`: whether to show prompts.
[[nodiscard]] std::unique_ptr<line_editor> make_plain_editor(bool prompts);

/// Makes an editor with history and completion, by libedit. Returns null without a suitable terminal. `history_files` has one name per
/// mode; with an empty name the history is not saved.
[[nodiscard]] std::unique_ptr<line_editor> make_terminal_editor(const std::vector<std::string>& history_files);

}  // namespace repl
