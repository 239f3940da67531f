#pragma once
#include "shell/text/terminal_line.hpp"
#include "shell/text/terminal_reader.hpp"

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Turns the output of a program into text that cannot harm a person's terminal: printable characters, ends of lines, tabs, and sequences
/// for colours and styles, but none that hides text. Drops the Unicode controls that change the writing direction.
///
/// Nothing moves the cursor. When a program writes over a line, the new state is shown in a line of its own: by `show_progress`, and when
/// the line ends. Takes pieces of any size; uses bounded memory.
class safe_output final : private terminal_handler {
public:
    void feed(std::string_view bytes, std::string& out);
    /// Shows the present state of a line that is being written over. Call it about once a second.
    void show_progress(std::string& out);
    /// Appends what is incomplete, and resets the style. Call it at the end of the output.
    void finish(std::string& out);

private:
    void text(std::string_view run) override;
    void control(char code) override;
    void sequence(std::string_view parameters, char final_byte) override;
    void begin_overwriting();
    void show_changes();
    void end_line();

    terminal_reader reader_;
    terminal_line line_;
    std::string shown_ = {};  // of the line, when it is being written over
    bool overwriting_ = false;
    bool styled_ = false;
    std::string* out_ = nullptr;  // while a member function runs
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
