#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Gets what a terminal would make of the output of a program.
class terminal_handler {
public:
    terminal_handler() = default;
    terminal_handler(const terminal_handler&) = delete;
    terminal_handler& operator=(const terminal_handler&) = delete;
    virtual ~terminal_handler() = default;

    /// Printable ASCII, or one other character. Always valid UTF-8.
    virtual void text(std::string_view run) = 0;
    /// A control character below U+0020, such as the end of a line.
    virtual void control(char code) = 0;
    /// A control sequence `ESC [ parameters final`, such as a colour.
    virtual void sequence(std::string_view parameters, char final_byte) = 0;
};

/// Splits the output of a program into text, control characters and sequences. It may come in pieces of any size. Other escape sequences
/// are dropped: titles, the clipboard, character sets. Uses bounded memory.
class terminal_reader {
public:
    void feed(std::string_view bytes, terminal_handler& to);
    /// Reports what is incomplete at the end.
    void finish(terminal_handler& to);

private:
    enum class place : unsigned char { ground, escape, intermediate, sequence, string, string_escape };

    void step(char byte, terminal_handler& to);
    void in_ground(char byte, terminal_handler& to);
    void in_escape(char byte, terminal_handler& to);
    void in_sequence(char byte, terminal_handler& to);
    void in_string(char byte, terminal_handler& to);
    void take_character(std::uint32_t code, terminal_handler& to);
    void give_up_character(terminal_handler& to);
    void begin_string();

    place place_ = place::ground;
    std::string parameters_ = {};
    bool overlong_ = false;        // more parameters than are kept
    std::size_t string_size_ = 0;  // of the control string so far
    std::string character_ = {};   // the bytes of an incomplete character
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
