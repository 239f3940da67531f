#pragma once
#include "editor/editor_frame.hpp"

#include <cstddef>
#include <string>

namespace repl {

/// Turns frames into bytes for a terminal. Writes only what differs from the frame before. The frame begins in the first column of the row
/// where the cursor is at the first `paint`.
class painter {
public:
    painter(std::size_t width, bool color) : width_(width), color_(color) {}

    /// The bytes that show the frame.
    [[nodiscard]] std::string paint(const editor_frame& next);
    /// The bytes that remove the shown frame. The cursor is where it began. The next `paint` shows everything.
    [[nodiscard]] std::string erase();
    /// The bytes that end the frame: it stays on the screen, and the cursor is in the first column below it.
    [[nodiscard]] std::string finish();
    /// As `erase`, after the terminal got another width and has perhaps wrapped the shown rows.
    [[nodiscard]] std::string resize(std::size_t width);
    /// Forgets the shown frame: the screen was cleared, or other output is below it.
    void forget();

private:
    void go_to(std::string& out, std::size_t row, std::size_t column);
    void paint_row(std::string& out, std::size_t index, const std::vector<screen_cell>& next);
    void write_cells(std::string& out, const std::vector<screen_cell>& row, std::size_t from);

    std::size_t width_;
    bool color_;
    editor_frame shown_;
    std::size_t row_ = 0;     // of the cursor, in the frame
    std::size_t column_ = 0;  // `width_` if the cursor waits behind the last column
};

}  // namespace repl
