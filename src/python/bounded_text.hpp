#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A text that is kept up to one length, and counted on up to another. Lengths are in code points.
class bounded_text {
public:
    bounded_text(std::size_t max_chars, std::size_t budget) : max_chars_(max_chars), budget_(budget) {}

    void ascii(std::string_view text);
    void utf8(std::string_view text);
    /// One character as it looks inside a string literal of Python's.
    void escaped(char32_t c, char quote, bool printable);
    /// One byte as it looks inside a bytes literal.
    void escaped_byte(unsigned char c, char quote);

    /// Says that at least so many characters follow, so that a text known to be too long is not counted to its end.
    void expect(std::size_t chars) { over_budget_ = over_budget_ || chars > budget_ - (length_ < budget_ ? length_ : budget_); }

    [[nodiscard]] bool full() const noexcept { return length_ >= max_chars_; }
    /// Nothing that is still to come would be kept or counted.
    [[nodiscard]] bool done() const noexcept { return full() && over_budget_; }
    /// The text stops in the middle.
    [[nodiscard]] bool clipped() const noexcept { return length_ > max_chars_ || done(); }
    /// Nothing when the budget was spent before the end.
    [[nodiscard]] std::optional<std::size_t> length() const noexcept { return over_budget_ ? std::nullopt : std::optional(length_); }

    [[nodiscard]] std::string take() noexcept { return std::move(text_); }

private:
    void advance(std::size_t chars) {
        length_ += chars;
        over_budget_ = over_budget_ || length_ > budget_;
    }

    std::string text_;
    std::size_t max_chars_;
    std::size_t budget_;
    std::size_t length_ = 0;
    bool over_budget_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
