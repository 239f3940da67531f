#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Keeps the begin and the end of a text of any length, and counts what is between. Uses memory of about twice the budget.
class head_and_tail {
public:
    explicit head_and_tail(std::size_t budget) : head_size_(budget / 2), tail_size_(budget - budget / 2) {}

    void append(std::string_view text);
    /// Returns the text; in place of what was left out, a line says how much that is.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool is_cut() const noexcept { return total_ > head_size_ + tail_size_; }

private:
    std::size_t head_size_;
    std::size_t tail_size_;
    std::uint64_t total_ = 0;
    std::string head_ = {};
    std::string tail_ = {};  // with up to as much again in front of it
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
