#pragma once
#include <memory>
#include <string>
#include <vector>

namespace repl {

/// What a line editor has to know of the console, and what it may ask of it. Called on the thread that reads.
class line_context {
public:
    virtual ~line_context() = default;
    [[nodiscard]] virtual std::string prompt() const = 0;
    /// Whether the line goes on with a block: then TAB on a blank line indents.
    [[nodiscard]] virtual bool continuing() const = 0;
    /// Whether an entry is one line whatever was pasted: then line ends and TABs of a paste are blanks, and only Enter ends it.
    [[nodiscard]] virtual bool single_line() const = 0;
    /// Goes to the other mode; the prompt changes with it.
    virtual void toggle_mode() = 0;
    /// Which of the histories belongs to the mode, from 0.
    [[nodiscard]] virtual int history() const = 0;
    /// What may stand after `before`: whole replacements for its last word. Empty = nothing known.
    [[nodiscard]] virtual std::vector<std::string> complete(const std::string& before) = 0;
};

/// What came of reading one line.
struct entered_line {
    enum class kind { line, interrupted, closed };
    kind what = kind::closed;
    std::string text = {};  ///< UTF-8, without the line end
    bool pasted = false;    ///< part of a paste, or from no person at all: nobody saw what the lines before it did
};

/// Reads lines for the console.
class line_editor {
public:
    virtual ~line_editor() = default;
    [[nodiscard]] virtual entered_line read(line_context& context) = 0;
    /// Keeps the histories for the next start.
    virtual void save() {}
};

/// Over a pipe, a file or a terminal that cannot move its cursor. `prompts` says whether a person sees them.
[[nodiscard]] std::unique_ptr<line_editor> make_plain_editor(bool prompts);

/// Editing, history and completion in a terminal, by libedit. Null when there is no such terminal. `history_files` has one name per mode;
/// an empty one keeps no history between starts.
[[nodiscard]] std::unique_ptr<line_editor> make_terminal_editor(const std::vector<std::string>& history_files);

}  // namespace repl
