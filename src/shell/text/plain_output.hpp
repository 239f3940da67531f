#pragma once
#include "shell/text/terminal_line.hpp"
#include "shell/text/terminal_reader.hpp"

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Turns the output of a program into plain text for the model: valid UTF-8 without escape sequences and control characters except the ends
/// of lines and tabs. Of a line that was written over, the last state stays. Takes pieces of any size; uses bounded memory.
class plain_output final : private terminal_handler {
public:
    /// Appends the lines that are complete to `out`.
    void feed(std::string_view bytes, std::string& out);
    /// Appends the line that is not complete. Call it at the end of the output.
    void finish(std::string& out);

private:
    void text(std::string_view run) override;
    void control(char code) override;
    void sequence(std::string_view parameters, char final_byte) override;
    void end_line();

    terminal_reader reader_;
    terminal_line line_;
    std::string* out_ = nullptr;  // while `feed` or `finish` runs
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
