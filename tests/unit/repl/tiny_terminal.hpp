#pragma once
#include "editor/grapheme.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A terminal with what the painter needs: text, line ends, relative motion, erasing. Styles have no effect.
class tiny_terminal {
public:
    tiny_terminal(std::size_t width, std::size_t height) : width_(width), rows_(height, std::vector<std::string>(width, " ")) {}

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            if (bytes.starts_with("\033[")) {
                std::size_t end = 2;
                while (end < bytes.size() && (std::isdigit(static_cast<unsigned char>(bytes[end])) != 0 || bytes[end] == ';')) {
                    ++end;
                }
                control(bytes.substr(2, end - 2), bytes[end]);
                bytes.remove_prefix(end + 1);
            } else if (bytes.front() == '\r' || bytes.front() == '\n') {
                bytes.front() == '\r' ? void(column_ = 0) : line_feed();
                bytes.remove_prefix(1);
            } else {
                const repl::grapheme next = repl::grapheme_at(bytes, 0);
                put(std::string(bytes.substr(0, next.size)), static_cast<std::size_t>(next.width));
                bytes.remove_prefix(next.size);
            }
        }
    }

    /// The text of a row, without the blanks at its end.
    [[nodiscard]] std::string row(std::size_t index) const {
        std::string text;
        for (const std::string& cell : rows_[index]) {
            text += cell;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }
    [[nodiscard]] std::size_t cursor_row() const { return row_; }
    [[nodiscard]] std::size_t cursor_column() const { return std::min(column_, width_ - 1); }

private:
    void control(std::string_view parameters, char last) {
        const std::size_t count = parameters.empty() ? 1 : static_cast<std::size_t>(std::atoi(std::string(parameters).c_str()));
        switch (last) {
            case 'A': row_ -= std::min(row_, count); break;
            case 'C': column_ = std::min(column_ + count, width_ - 1); break;
            case 'K': erase(row_, column_); break;
            case 'J':
                erase(row_, column_);
                for (std::size_t below = row_ + 1; below < rows_.size(); ++below) {
                    erase(below, 0);
                }
                break;
            default: break;
        }
    }

    void erase(std::size_t row, std::size_t from) {
        std::fill(rows_[row].begin() + static_cast<std::ptrdiff_t>(std::min(from, width_ - 1)), rows_[row].end(), " ");
    }

    void line_feed() {
        if (++row_ == rows_.size()) {
            rows_.erase(rows_.begin());
            rows_.emplace_back(width_, " ");
            --row_;
        }
    }

    void put(std::string text, std::size_t width) {
        if (column_ + width > width_) {
            column_ = 0;
            line_feed();
        }
        rows_[row_][column_] = std::move(text);
        for (std::size_t more = 1; more < width; ++more) {
            rows_[row_][column_ + more].clear();
        }
        column_ += width;
    }

    std::size_t width_;
    std::vector<std::vector<std::string>> rows_;
    std::size_t row_ = 0;
    std::size_t column_ = 0;  // `width_`: the next character goes to the next row
};
