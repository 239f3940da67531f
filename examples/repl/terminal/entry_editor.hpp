#pragma once
#include "python/completion.hpp"
#include "python/entry_state.hpp"
#include "terminal/styled_span.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The console as an editor sees it. Called on the reading thread.
class entry_context {
public:
    virtual ~entry_context() = default;
    [[nodiscard]] virtual std::string prompt() const = 0;
    /// The prompt of the second and later lines of an entry.
    [[nodiscard]] virtual std::string continuation_prompt() const = 0;
    /// Whether an entry is always one line. Then pasted line ends and TABs become blanks, and only Enter ends the entry.
    [[nodiscard]] virtual bool single_line() const = 0;
    /// Switches the mode, and with it the prompt, the history and the highlighting. Returns a text for an entry that is still empty,
    /// usually none.
    [[nodiscard]] virtual std::string toggle_mode() = 0;
    /// The index of the mode's history.
    [[nodiscard]] virtual int history() const = 0;
    [[nodiscard]] virtual entry_state judge(std::string_view entry) const = 0;
    [[nodiscard]] virtual std::vector<styled_span> highlight(std::string_view entry) const = 0;
    [[nodiscard]] virtual completion_list complete(std::string_view entry, std::size_t cursor) = 0;
    /// The signature and the first line of the documentation of what the cursor stands in; empty if nothing is known.
    [[nodiscard]] virtual std::string describe(std::string_view entry, std::size_t cursor) = 0;
};

/// The result of reading one entry.
struct entry {
    enum class kind : unsigned char { text, interrupted, closed };
    kind what = kind::closed;
    std::string text = {};  ///< UTF-8, one or more lines, without the last line end
};

/// Reads entries for the console: whole blocks of Python, questions, commands.
class entry_editor {
public:
    virtual ~entry_editor() = default;
    [[nodiscard]] virtual entry read(entry_context& context) = 0;
    /// Reads one line for Python's `input()` and `sys.stdin`, without history and completion. Called on the reading thread while a
    /// statement runs. `closed` at the end of the input (Ctrl-D), `interrupted` by Ctrl-C.
    [[nodiscard]] virtual entry read_input(const std::string& prompt) = 0;
    /// Lets the next `read` begin with this text, as if the person had typed it.
    virtual void prefill(std::string text) = 0;
    /// Adds an entry of an earlier session to a history, not to its file.
    virtual void add_history(int history, const std::string& entry) = 0;
};

}  // namespace repl
