#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Appends a code point to `out` as UTF-8.
void append_utf8(std::string& out, char32_t code);

/// A text that is kept up to `max_chars` and whose whole length is counted up to `budget`. Lengths are in code points.
class bounded_text {
public:
    bounded_text(std::size_t max_chars, std::size_t budget) : max_chars_(max_chars), budget_(budget) {}

    void ascii(std::string_view text);
    void utf8(std::string_view text);
    /// Appends one character as in a Python string literal, or one byte, never printable, as in a bytes literal.
    void escaped(char32_t c, char quote, bool printable);

    /// Announces that at least `chars` characters follow, so that a text over the budget is not counted to its end.
    void expect(std::size_t chars) { over_budget_ = over_budget_ || chars > budget_ - (length_ < budget_ ? length_ : budget_); }

    [[nodiscard]] bool full() const noexcept { return length_ >= max_chars_; }
    /// Whether further text would be neither kept nor counted.
    [[nodiscard]] bool done() const noexcept { return full() && over_budget_; }
    /// Whether the kept text is incomplete.
    [[nodiscard]] bool clipped() const noexcept { return length_ > max_chars_ || done(); }
    /// The length of the whole text; `nullopt` if it exceeds the budget.
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
