#pragma once
#include "terminal/styled_span.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// One column of the screen. A wide character has a cell without text behind it.
struct screen_cell {
    std::string text = {};
    text_style style = text_style::plain;
    bool doubtful = false;  ///< terminals disagree about the width of the text

    friend bool operator==(const screen_cell&, const screen_cell&) = default;
};

/// What the editor shows: rows of cells, each at most as wide as the terminal, and the place of the cursor.
struct editor_frame {
    std::vector<std::vector<screen_cell>> rows = {};
    std::size_t cursor_row = 0;
    std::size_t cursor_column = 0;

    friend bool operator==(const editor_frame&, const editor_frame&) = default;
};

/// A line below the text: of the menu, of a search, a signature.
struct extra_line {
    std::string text = {};
    std::vector<styled_span> spans = {};
};

/// What a frame is made of.
struct frame_content {
    std::string_view text = {};
    std::size_t cursor = 0;
    std::string_view prompt = {};
    std::string_view continuation_prompt = {};
    std::string_view suggestion = {};          ///< shown dimmed behind the text
    std::vector<styled_span> spans = {};       ///< of the text
    std::vector<styled_span> highlights = {};  ///< of the text, over `spans`
    std::vector<extra_line> extras = {};
};

/// Computes the cells for a terminal of this size. If the text is too long for it, the rows around the cursor are shown.
[[nodiscard]] editor_frame lay_out(const frame_content& content, std::size_t width, std::size_t height);

}  // namespace repl
