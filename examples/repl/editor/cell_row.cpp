#include "editor/cell_row.hpp"

#include "editor/character_width.hpp"
#include "editor/grapheme.hpp"
#include "terminal/screen.hpp"

namespace repl {

namespace {

constexpr std::size_t tab_columns = 8;
constexpr const char* replacement = "\xEF\xBF\xBD";

/// What the terminal gets for one grapheme. Nothing that steers it.
std::string shown_text(std::string_view grapheme) {
    if (grapheme.size() == 1) {
        const auto byte = static_cast<unsigned char>(grapheme.front());
        return byte < 0x20 || byte >= 0x7F ? replacement : std::string(grapheme);
    }
    std::string text = printable(grapheme);
    if (text.empty()) {
        return replacement;
    }
    // A combining mark at the begin of a row would join the character before the row.
    return character_width(character_at(text, 0).code) == 0 ? " " + text : text;
}

}  // namespace

std::size_t columns_at(std::string_view text, std::size_t at, std::size_t line_column, std::size_t& size) noexcept {
    if (text[at] == '\t') {
        size = 1;
        return tab_columns - line_column % tab_columns;
    }
    const grapheme next = grapheme_at(text, at);
    size = next.size;
    return static_cast<std::size_t>(next.width);
}

void append_cells(std::vector<screen_cell>& row, std::string_view text, std::size_t line_column, text_style style) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = 0;
        const std::size_t columns = columns_at(text, at, line_column, size);
        if (text[at] == '\t') {
            row.insert(row.end(), columns, {.text = " ", .style = style});
        } else {
            row.push_back({.text = shown_text(text.substr(at, size)), .style = style, .doubtful = grapheme_at(text, at).doubtful});
            row.insert(row.end(), columns > 0 ? columns - 1 : 0, {.style = style});
        }
        line_column += columns;
        at += size;
    }
}

}  // namespace repl
