#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Three-way comparison: returns a negative number, 0 or a positive number.
template <class T>
int order(const T& left, const T& right) noexcept {
    return left < right ? -1 : (right < left ? 1 : 0);
}

/// Three-way comparison of two JSON numbers. It is exact: integers are not rounded to double. NaN equals itself and is greater than all
/// other numbers.
[[nodiscard]] int compare_numbers(const json& left, const json& right) noexcept;

/// Returns whether a number has no fraction, such as 1.0.
[[nodiscard]] bool is_whole(const json& number) noexcept;

/// Returns whether a number is neither NaN nor infinite.
[[nodiscard]] bool is_finite(const json& number) noexcept;

/// The absolute value of a finite number in decimal: `digits` times ten to the `exponent`. `digits` has no trailing zeros.
struct decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};
[[nodiscard]] decimal decimal_of(const json& number) noexcept;

/// Returns whether a finite number is a multiple of `divisor`, which must not be zero. Exact in decimal: 0.07 is a multiple of 0.01.
[[nodiscard]] bool is_multiple(const json& number, const decimal& divisor) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
