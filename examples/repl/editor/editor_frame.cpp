#include "editor/editor_frame.hpp"

#include "editor/cell_row.hpp"
#include "editor/grapheme.hpp"
#include "editor/word.hpp"

#include <algorithm>

namespace repl {

namespace {

/// The part of the text that one row shows.
struct row_range {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t line_column = 0;  ///< of `begin`, in its line
    bool starts_line = false;
};

/// Breaks the text into rows. Only their ranges, because most rows of a long text are not shown.
class row_breaker {
public:
    row_breaker(const frame_content& content, std::string_view text, std::size_t width)
        : content_(content),
          text_(text),
          width_(width),
          prompt_(static_cast<std::size_t>(text_width(content.prompt))),
          continuation_(static_cast<std::size_t>(text_width(content.continuation_prompt))) {}

    std::vector<row_range> rows() {
        for (std::size_t begin = 0;;) {
            const std::size_t end = line_end(text_, begin);
            break_line(begin, end);
            if (end == text_.size()) {
                return std::move(rows_);
            }
            begin = end + 1;
        }
    }

private:
    void break_line(std::size_t begin, std::size_t end) {
        std::size_t used = std::min(begin == 0 ? prompt_ : continuation_, width_ - 1);
        std::size_t line_column = 0;
        rows_.push_back({.begin = begin, .starts_line = true});
        for (std::size_t at = begin; at < end;) {
            std::size_t size = 0;
            std::size_t columns = columns_at(text_, at, line_column, size);
            if (text_[at] == '\t') {
                columns = std::min(columns, std::max(width_ - used, std::size_t{1}));
            }
            if (used + columns > width_) {
                rows_.back().end = at;
                rows_.push_back({.begin = at, .line_column = line_column});
                used = 0;
            }
            used += columns;
            line_column += columns;
            at += size;
        }
        rows_.back().end = end;
        if (used >= width_ && end == content_.cursor) {
            rows_.push_back({.begin = end, .end = end, .line_column = line_column});  // for the cursor
        }
    }

    const frame_content& content_;
    std::string_view text_;
    std::size_t width_;
    std::size_t prompt_;
    std::size_t continuation_;
    std::vector<row_range> rows_;
};

text_style style_at(const std::vector<styled_span>& spans, std::size_t at, std::size_t& until) {
    const auto span =
        std::upper_bound(spans.begin(), spans.end(), at, [](std::size_t value, const styled_span& each) { return value < each.end; });
    if (span == spans.end()) {
        return text_style::plain;
    }
    until = std::min(until, span->begin <= at ? span->end : span->begin);
    return span->begin <= at ? span->style : text_style::plain;
}

/// Appends a range of text, piece by piece of one style. A style never begins inside a grapheme: then it begins behind it.
void append_styled(std::vector<screen_cell>& row, std::string_view text, std::size_t begin, std::size_t end, std::size_t line_column,
                   const std::vector<styled_span>& spans, const std::vector<styled_span>& highlights) {
    for (std::size_t at = begin; at < end;) {
        std::size_t until = end;
        text_style style = style_at(spans, at, until);
        if (const text_style over = style_at(highlights, at, until); over != text_style::plain) {
            style = over;
        }
        std::size_t stop = at;
        while (stop < until) {
            stop = next_grapheme(text, stop);
        }
        const std::size_t before = row.size();
        append_cells(row, text.substr(at, std::min(stop, end) - at), line_column, style);
        line_column += row.size() - before;
        at = std::min(stop, end);
    }
}

std::vector<screen_cell> lay_out_extra(const extra_line& line, std::size_t width) {
    std::vector<screen_cell> row;
    append_styled(row, line.text, 0, line.text.size(), 0, line.spans, {});
    if (row.size() > width) {
        row.resize(width);
        // The last cell may be the first half of a wide character.
        row.back() = {.text = "\xE2\x80\xA6", .style = row.back().style};
    }
    return row;
}

}  // namespace

editor_frame lay_out(const frame_content& content, std::size_t width, std::size_t height) {
    width = std::max(width, std::size_t{2});
    height = std::max(height, std::size_t{1});
    std::string with_suggestion;
    std::string_view text = content.text;
    std::vector<styled_span> dimmed;
    if (!content.suggestion.empty()) {
        with_suggestion = std::string(text) + std::string(content.suggestion);
        text = with_suggestion;
        dimmed.push_back({.begin = content.text.size(), .end = text.size(), .style = text_style::dimmed});
    }
    const std::vector<styled_span>& over = dimmed.empty() ? content.highlights : dimmed;
    const std::vector<row_range> ranges = row_breaker(content, text, width).rows();
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), content.cursor,
                                        [](std::size_t value, const row_range& row) { return value < row.begin; });
    const auto cursor_row = static_cast<std::size_t>(after - ranges.begin()) - 1;

    const std::size_t extras = std::min(content.extras.size(), height - 1);
    const std::size_t room = height - extras;
    std::size_t first = 0;
    if (ranges.size() > room) {
        first = std::min(cursor_row - std::min(cursor_row, room / 2), ranges.size() - room);
    }
    editor_frame frame;
    for (std::size_t index = first; index < std::min(ranges.size(), first + room); ++index) {
        const row_range& range = ranges[index];
        std::vector<screen_cell> row;
        if (range.starts_line) {
            append_cells(row, index == 0 ? content.prompt : content.continuation_prompt, 0, text_style::plain);
            row.resize(std::min(row.size(), width - 1));
        }
        if (index == cursor_row) {
            frame.cursor_row = frame.rows.size();
            std::vector<screen_cell> before = row;
            append_styled(before, text, range.begin, content.cursor, range.line_column, {}, {});
            frame.cursor_column = std::min(before.size(), width - 1);
        }
        append_styled(row, text, range.begin, range.end, range.line_column, content.spans, over);
        row.resize(std::min(row.size(), width));  // a tab at the edge
        frame.rows.push_back(std::move(row));
    }
    for (std::size_t index = 0; index < extras; ++index) {
        frame.rows.push_back(lay_out_extra(content.extras[index], width));
    }
    return frame;
}

}  // namespace repl
