#pragma once
#include "editor/edit_buffer.hpp"
#include "editor/editor_frame.hpp"
#include "python/completion.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace repl {

/// The list of completions below the text, and the one that is chosen.
class completion_menu {
public:
    static constexpr std::size_t most_rows = 8;

    /// Puts what all candidates have in common into the text. Opens the menu if more than one candidate is left.
    void start(completion_list list, edit_buffer& buffer);
    void close() { open_ = false; }
    [[nodiscard]] bool is_open() const noexcept { return open_; }
    [[nodiscard]] bool has_choice() const noexcept { return chosen_.has_value(); }

    /// Chooses another candidate and puts it into the text. Behind the last one comes the first one.
    void choose_next(edit_buffer& buffer) { choose(buffer, 1); }
    void choose_previous(edit_buffer& buffer) { choose(buffer, list_.items.size() - 1); }
    /// Takes the chosen candidate out of the text again, and closes.
    void cancel(edit_buffer& buffer);

    [[nodiscard]] std::vector<extra_line> rows() const;

private:
    void choose(edit_buffer& buffer, std::size_t step);
    void put(edit_buffer& buffer, const std::string& text);

    bool open_ = false;
    completion_list list_;
    std::string typed_;
    std::optional<std::size_t> chosen_;
};

}  // namespace repl
