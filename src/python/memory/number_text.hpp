#pragma once
#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Prints a floating-point number as Python's `repr` does: `1.0`, `1e+100`, `nan`.
[[nodiscard]] std::string float_text(double value);

/// Prints the integer whose digits have `digit_bits` bits each, lowest first. Takes quadratic time.
[[nodiscard]] std::string integer_text(std::span<const std::uint32_t> digits, unsigned digit_bits, bool negative);

/// Describes an integer that is too long to print: `<int of 332193 bits, about 10**99999>`.
[[nodiscard]] std::string long_integer_text(std::uint64_t bits, bool negative);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
