#pragma once
#include <string>

namespace repl {

/// Reads keys from a terminal and distinguishes typed keys from pasted keys.
///
/// The terminal marks the begin and end of a paste (bracketed paste). For terminals without these marks, a TAB that is immediately followed
/// by more bytes counts as pasted.
class key_reader {
public:
    enum class status { key, interrupted, closed };

    explicit key_reader(int descriptor) : descriptor_(descriptor) {}

    /// Reads the next key, a Unicode character. In a paste, line ends become '\n' and control characters except TAB are dropped.
    [[nodiscard]] status next(wchar_t& key);

    /// Whether the last key was pasted.
    [[nodiscard]] bool pasted() const noexcept { return last_pasted_; }

private:
    enum class waiting { forever, briefly };
    status fill(waiting how);
    [[nodiscard]] bool skip_mark(const char* mark);
    wchar_t decode(unsigned char first);

    int descriptor_;
    std::string bytes_;  // read but not decoded yet
    bool in_paste_ = false;
    bool last_pasted_ = false;
    bool after_return_ = false;  // in a paste: the '\n' of "\r\n" is not a second line end
};

}  // namespace repl
