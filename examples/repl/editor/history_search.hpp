#pragma once
#include "editor/edit_buffer.hpp"
#include "editor/editor_frame.hpp"
#include "editor/entry_history.hpp"
#include "editor/key.hpp"

#include <cstddef>
#include <string>

namespace repl {

/// The incremental search of Ctrl-R: each typed character shows the newest entry that contains what was typed so far.
class history_search {
public:
    void start(const edit_buffer& buffer, const entry_history& history);
    [[nodiscard]] bool active() const noexcept { return active_; }
    /// Takes a key. Returns false if the search has ended and the editor has to handle the key.
    bool press(const key& pressed, edit_buffer& buffer, const entry_history& history);
    [[nodiscard]] extra_line row() const;

private:
    void find_from(std::size_t from, edit_buffer& buffer, const entry_history& history);
    void find_again(bool older, edit_buffer& buffer, const entry_history& history);
    void show(std::size_t index, edit_buffer& buffer, const entry_history& history);

    bool active_ = false;
    bool failed_ = false;
    std::string wanted_;
    std::string last_wanted_;  // of the search before
    std::size_t at_ = 0;
    std::string original_;
    std::size_t original_cursor_ = 0;
};

}  // namespace repl
