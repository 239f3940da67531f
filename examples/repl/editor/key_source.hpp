#pragma once
#include "editor/key_decoder.hpp"

namespace repl {

/// Waits for what concerns the prompt: keys, signals, output of other threads.
class key_source {
public:
    enum class event : unsigned char { key, signal, output, closed };

    /// Takes what was typed before this prompt. Call it once at the begin of a prompt, in raw mode: the terminal keeps a Ctrl-D that was
    /// typed in its line mode as a zero byte.
    void read_typed_ahead();
    /// Waits for the next event. `output_descriptor` becomes readable when output waits. Keys that have arrived come first.
    [[nodiscard]] event wait(int output_descriptor);
    /// The key of the last event `key`.
    [[nodiscard]] const key& pressed() const noexcept { return pressed_; }
    /// Whether more bytes arrived together with the key. `briefly`: bytes of the same burst may still be on their way.
    [[nodiscard]] bool in_burst(bool briefly);
    /// Whether a key can be read without waiting. Then a frame would be replaced at once.
    [[nodiscard]] bool has_input() const;

private:
    bool read_bytes(bool typed_ahead = false);

    key_decoder decoder_;
    key pressed_;
};

}  // namespace repl
