#include "assistant/markdown_table.hpp"

#include "editor/grapheme.hpp"
#include "editor/style_table.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <optional>

namespace repl {

namespace {

enum class alignment : unsigned char { left, center, right };

struct table_cell {
    std::vector<marked_text> pieces = {};
    std::size_t width = 0;
};
using table_row = std::vector<table_cell>;

/// Splits a line at its bars. Bars in code spans and behind a backslash belong to the cell.
std::vector<std::string> split_cells(std::string_view line) {
    line = pyaichat::detail::trimmed(line);
    line.remove_prefix(line.starts_with('|') ? 1 : 0);
    std::vector<std::string> cells(1);
    bool in_code = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '|') {
            cells.back() += line[++at];
        } else if (line[at] == '|' && !in_code) {
            cells.emplace_back();
        } else {
            in_code = in_code != (line[at] == '`');
            cells.back() += line[at];
        }
    }
    if (cells.size() > 1 && pyaichat::detail::is_blank(cells.back())) {
        cells.pop_back();
    }
    for (std::string& cell : cells) {
        cell = pyaichat::detail::trimmed(cell);
    }
    return cells;
}

/// The alignments that the second line of a table declares.
std::optional<std::vector<alignment>> read_delimiters(std::string_view line) {
    std::vector<alignment> out;
    for (const std::string& cell : split_cells(line)) {
        const bool from_left = cell.starts_with(':');
        const bool to_right = cell.ends_with(':');
        if (cell.find('-') == std::string::npos || cell.find_first_not_of("-:") != std::string::npos ||
            cell.find(':', 1) < cell.size() - 1) {
            return std::nullopt;
        }
        out.push_back(from_left && to_right ? alignment::center : to_right ? alignment::right : alignment::left);
    }
    return out;
}

class table_layout {
public:
    table_layout(const std::vector<std::string>& lines, std::vector<alignment> alignments) : alignments_(std::move(alignments)) {
        widths_.assign(alignments_.size(), 1);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i != 1) {
                add_row(split_cells(lines[i]), rows_.empty() ? std::string(style_parameters(text_style::strong)) : std::string());
            }
        }
    }

    [[nodiscard]] std::size_t width() const {
        std::size_t sum = 3 * (widths_.size() - 1);
        for (const std::size_t each : widths_) {
            sum += each;
        }
        return sum;
    }

    [[nodiscard]] std::vector<marked_text> as_grid() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            add_grid_line(rows_[i]);
            if (i == 0) {
                add_separator();
            }
        }
        return std::move(out_);
    }

    [[nodiscard]] std::vector<marked_text> as_list() {
        for (std::size_t i = 1; i < rows_.size(); ++i) {
            for (std::size_t column = 0; column < widths_.size(); ++column) {
                add_pieces(rows_.front()[column]);
                put(": ");
                add_pieces(rows_[i][column]);
                put("\n");
            }
            put(i + 1 < rows_.size() ? "\n" : "");
        }
        return std::move(out_);
    }

private:
    void add_row(std::vector<std::string> texts, const std::string& codes) {
        texts.resize(widths_.size());
        table_row row;
        for (std::size_t column = 0; column < widths_.size(); ++column) {
            table_cell cell;
            split_inline(texts[column], '\0', true, codes, cell.pieces);
            for (const marked_text& piece : cell.pieces) {
                cell.width += static_cast<std::size_t>(text_width(piece.text));
            }
            widths_[column] = std::max(widths_[column], cell.width);
            row.push_back(std::move(cell));
        }
        rows_.push_back(std::move(row));
    }

    void add_grid_line(const table_row& row) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::size_t blanks = widths_[column] - row[column].width;
            const alignment how = alignments_[column];
            const std::size_t before = how == alignment::right ? blanks : how == alignment::center ? blanks / 2 : 0;
            const bool is_last = column + 1 == row.size();
            put(std::string(before, ' '));
            add_pieces(row[column]);
            put(is_last ? "" : std::string(blanks - before, ' '));
            put(is_last ? "\n" : " │ ", is_last ? text_style::plain : text_style::dimmed);
        }
    }

    void add_separator() {
        std::string line;
        for (std::size_t column = 0; column < widths_.size(); ++column) {
            line += column == 0 ? "" : "─┼─";
            for (std::size_t i = 0; i < widths_[column]; ++i) {
                line += "─";
            }
        }
        put(line, text_style::dimmed);
        put("\n");
    }

    void add_pieces(const table_cell& cell) { out_.insert(out_.end(), cell.pieces.begin(), cell.pieces.end()); }

    void put(std::string text, text_style style = text_style::plain) {
        if (!text.empty()) {
            out_.push_back({std::string(style_parameters(style)), std::move(text)});
        }
    }

    std::vector<alignment> alignments_;
    std::vector<std::size_t> widths_;
    std::vector<table_row> rows_;
    std::vector<marked_text> out_;
};

}  // namespace

std::vector<marked_text> layout_table(const std::vector<std::string>& rows, std::size_t columns) {
    auto alignments = rows.size() < 2 ? std::nullopt : read_delimiters(rows[1]);
    if (!alignments || alignments->size() != split_cells(rows.front()).size()) {
        return {};
    }
    table_layout table(rows, *std::move(alignments));
    return columns == 0 || table.width() <= columns || rows.size() == 2 ? table.as_grid() : table.as_list();
}

}  // namespace repl
