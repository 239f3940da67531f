#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace repl {

/// One replacement in a text, which can be reverted.
struct text_change {
    std::size_t at = 0;
    std::string removed = {};
    std::string inserted = {};
    std::size_t cursor_before = 0;
};

/// The changes of a text, for undo and redo. Characters typed one after the other form one change, up to the end of a word.
class undo_log {
public:
    /// `typed`: the change may be joined with the one before.
    void add(text_change change, bool typed);
    /// Ends the current group: the next change is separate.
    void end_group() noexcept { open_ = false; }
    void clear();

    /// The change to revert or to repeat; null if there is none. Valid until the next call.
    [[nodiscard]] const text_change* undo();
    [[nodiscard]] const text_change* redo();

private:
    std::vector<text_change> changes_;
    std::size_t done_ = 0;  // the changes behind it were reverted
    bool open_ = false;
};

}  // namespace repl
