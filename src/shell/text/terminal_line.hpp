#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The line in which a program prints. The program may move back in it and write over what is there, as a progress bar does.
class terminal_line {
public:
    /// A longer line is cut into several.
    static constexpr std::size_t longest = std::size_t{16} << 10;

    /// Writes as much of the text as there is room for. Returns the rest, which belongs into the next line.
    [[nodiscard]] std::string_view write(std::string_view text);
    void carriage_return();
    void backspace();
    /// Carries out the control sequences for moving and erasing within a line, and ignores others.
    void sequence(std::string_view parameters, char final_byte);

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool empty() const noexcept { return overwriting_ ? cells_.empty() : bytes_.empty(); }
    [[nodiscard]] bool is_full() const noexcept { return (overwriting_ ? cells_.size() : bytes_.size()) >= longest; }
    void clear() noexcept;

private:
    void overwrite();
    void put(char32_t character);

    std::string bytes_ = {};  // until the program moves
    std::u32string cells_ = {};
    std::size_t cursor_ = 0;
    bool overwriting_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
