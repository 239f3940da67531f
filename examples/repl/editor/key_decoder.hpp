#pragma once
#include "editor/key.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace repl {

/// Decodes the bytes of a terminal to keys. Knows the sequences of xterm, VTE, tmux, screen and the Linux console; swallows all others
/// whole, so that no part of them becomes text.
///
/// It has no clock. A lone ESC and the begin of an Alt combination look the same: if `unfinished` and no byte has arrived for some time,
/// the owner calls `settle`.
class key_decoder {
public:
    void feed(std::string_view bytes) { bytes_.append(bytes); }

    /// Returns the next key, or nothing if more bytes are needed.
    [[nodiscard]] std::optional<key> next();

    /// Whether bytes wait for the rest of their sequence, outside a paste.
    [[nodiscard]] bool unfinished() const noexcept { return !pasting_ && at_ < bytes_.size(); }
    /// Whether a paste has begun and not ended.
    [[nodiscard]] bool pasting() const noexcept { return pasting_; }
    /// Whether more bytes have arrived than were decoded: the last key was followed at once by others.
    [[nodiscard]] bool has_more() const noexcept { return at_ < bytes_.size(); }

    /// Takes the unfinished bytes as they are: ESC becomes the key Escape, a lone introducer of a sequence has no effect.
    void settle() noexcept { settled_ = true; }

private:
    std::optional<key> escape_sequence();
    std::optional<key> control_sequence(std::size_t begin, bool alt);
    std::optional<key> single_shift(std::size_t begin, bool alt);
    std::optional<key> skip_string(std::size_t begin);
    std::optional<key> paste();
    std::optional<key> plain_character(bool alt);
    std::optional<key> wait_or_drop(bool only_introducer);
    void discard_decoded();

    std::string bytes_;
    std::size_t at_ = 0;  // decoded up to here
    bool settled_ = false;
    bool pasting_ = false;
    std::size_t paste_seen_ = 0;  // the end mark does not begin before this offset
};

/// Makes pasted bytes an editable text: line ends become '\n', invalid UTF-8 U+FFFD; control characters except TAB are dropped.
[[nodiscard]] std::string pasted_text(std::string_view bytes);

}  // namespace repl
