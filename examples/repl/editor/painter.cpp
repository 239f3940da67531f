#include "editor/painter.hpp"

#include "editor/style_table.hpp"

#include <algorithm>

namespace repl {

namespace {

constexpr const char* clear_line = "\033[K";
constexpr const char* clear_below = "\033[J";

bool has_doubtful(const std::vector<screen_cell>& row) {
    return std::any_of(row.begin(), row.end(), [](const screen_cell& cell) { return cell.doubtful; });
}

std::string move(std::size_t count, char direction) {
    return "\033[" + std::to_string(count) + direction;
}

}  // namespace

void painter::go_to(std::string& out, std::size_t row, std::size_t column) {
    if (row > row_) {
        for (; row_ < row; ++row_) {
            out += "\r\n";  // scrolls at the bottom of the screen
        }
        column_ = 0;
    } else if (row < row_) {
        out += move(row_ - row, 'A');
        row_ = row;
    }
    if (column == column_ && column_ < width_) {
        return;
    }
    if (column < column_) {
        out += '\r';
        column_ = 0;
    }
    if (column > column_) {
        out += move(column - column_, 'C');
    }
    column_ = column;
}

void painter::write_cells(std::string& out, const std::vector<screen_cell>& row, std::size_t from) {
    text_style style = text_style::plain;
    for (std::size_t at = from; at < row.size(); ++at) {
        const screen_cell& cell = row[at];
        if (cell.text.empty()) {
            continue;  // the second half of a wide character
        }
        if (color_ && cell.style != style) {
            style = cell.style;
            const std::string_view parameters = style_parameters(style);
            out += parameters.empty() ? "\033[0m" : "\033[0;" + std::string(parameters) + "m";
        }
        out += cell.text;
        std::size_t end = at + 1;
        while (end < row.size() && row[end].text.empty()) {
            ++end;
        }
        column_ = end;
        if (cell.doubtful && end < width_) {
            // The terminal may have moved the cursor by another width: what follows is written to the right column.
            out += '\r';
            column_ = 0;
            go_to(out, row_, end);
            out += clear_line;
        }
    }
    if (style != text_style::plain) {
        out += "\033[0m";
    }
}

void painter::paint_row(std::string& out, std::size_t index, const std::vector<screen_cell>& next) {
    const bool shown = index < shown_.rows.size();
    const std::vector<screen_cell> nothing;
    const std::vector<screen_cell>& before = shown ? shown_.rows[index] : nothing;
    if (shown && before == next) {
        return;
    }
    std::size_t first = 0;
    if (has_doubtful(before) || has_doubtful(next)) {
        go_to(out, index, 0);
        if (!before.empty()) {
            out += clear_line;
        }
    } else {
        first = static_cast<std::size_t>(std::mismatch(before.begin(), before.end(), next.begin(), next.end()).first - before.begin());
        while (first > 0 && ((first < next.size() && next[first].text.empty()) || (first < before.size() && before[first].text.empty()))) {
            --first;  // not inside a wide character
        }
        go_to(out, index, first);
    }
    write_cells(out, next, first);
    if (before.size() > next.size() && column_ < width_) {
        out += clear_line;
    }
}

std::string painter::paint(const editor_frame& next) {
    std::string out;
    for (std::size_t index = 0; index < next.rows.size(); ++index) {
        if (index >= shown_.rows.size()) {
            go_to(out, index, 0);
        }
        paint_row(out, index, next.rows[index]);
    }
    if (next.rows.size() < shown_.rows.size()) {
        go_to(out, next.rows.size(), 0);
        out += clear_below;
    }
    go_to(out, next.cursor_row, next.cursor_column);
    shown_ = next;
    return out;
}

std::string painter::erase() {
    std::string out;
    go_to(out, 0, 0);
    out += "\r";
    out += clear_below;
    forget();
    return out;
}

std::string painter::finish() {
    std::string out;
    go_to(out, shown_.rows.empty() ? 0 : shown_.rows.size() - 1, 0);
    out += "\r\n";
    forget();
    return out;
}

std::string painter::resize(std::size_t width) {
    // Most terminals wrap rows that have become too long. Those that cut them have fewer rows above: then some output above is lost.
    std::size_t above = 0;
    for (std::size_t index = 0; index < std::min(row_, shown_.rows.size()); ++index) {
        above += (std::max(shown_.rows[index].size(), std::size_t{1}) + width - 1) / width;
    }
    above += column_ / width;
    std::string out;
    if (above > 0) {
        out += move(above, 'A');
    }
    out += "\r";
    out += clear_below;
    forget();
    width_ = width;
    return out;
}

void painter::forget() {
    shown_ = {};
    row_ = 0;
    column_ = 0;
}

}  // namespace repl
