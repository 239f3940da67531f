#pragma once
#include <string>

namespace repl {

/// Reads keys from a terminal and tells typed ones from pasted ones.
///
/// A paste is what stands between the marks of the terminal (bracketed paste). For terminals without marks, a TAB with more bytes right
/// behind it counts as pasted: nobody types that fast.
class key_reader {
public:
    enum class status { key, interrupted, closed };

    explicit key_reader(int descriptor) : descriptor_(descriptor) {}

    /// The next key: a Unicode character. Inside a paste line ends are '\n', and other control characters than TAB are left out.
    [[nodiscard]] status next(wchar_t& key);

    /// Whether the last key was pasted.
    [[nodiscard]] bool pasted() const noexcept { return last_pasted_; }

private:
    enum class waiting { forever, a_moment };
    status fill(waiting how);
    [[nodiscard]] bool skip_mark(const char* mark);
    wchar_t decode(unsigned char first);

    int descriptor_;
    std::string bytes_;  // read and not yet taken
    bool in_paste_ = false;
    bool last_pasted_ = false;
    bool after_return_ = false;  // within a paste: the '\n' of "\r\n" is no second line end
};

}  // namespace repl
