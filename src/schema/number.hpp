#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Compares two values: less than, equal to or more than 0 as `left` is to `right`.
template <class T>
int order(const T& left, const T& right) noexcept {
    return left < right ? -1 : (right < left ? 1 : 0);
}

/// Less than, equal to or more than 0 as `left` is to `right`, by value and exactly: an integer is not rounded to be compared with a
/// double. Both are numbers; NaN is equal to itself and more than all others.
[[nodiscard]] int compare_numbers(const json& left, const json& right) noexcept;

/// Whether a number has no fraction: 1.0 has none.
[[nodiscard]] bool is_whole(const json& number) noexcept;

/// Whether a number is one that JSON can say: neither NaN nor infinite.
[[nodiscard]] bool is_finite(const json& number) noexcept;

/// The magnitude of a number as it would be written: `digits` times ten to the `exponent`, with no trailing zero in `digits`.
struct decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};
[[nodiscard]] decimal decimal_of(const json& number) noexcept;

/// Whether a finite number is a whole multiple of `divisor`, in decimal: 0.07 is one of 0.01, though the doubles are not. Not by zero.
[[nodiscard]] bool is_multiple(const json& number, const decimal& divisor) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
