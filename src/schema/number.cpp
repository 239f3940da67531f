#include "schema/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The high and the low half of a number in two's complement, which are ordered as the number is. The high half is 0 or -1.
using whole_number = std::pair<int, std::uint64_t>;

whole_number whole_of(const json& number) noexcept {
    if (const auto* plain = number.get_ptr<const json::number_unsigned_t*>()) {
        return {0, *plain};
    }
    const std::int64_t value = *number.get_ptr<const json::number_integer_t*>();
    return {value < 0 ? -1 : 0, static_cast<std::uint64_t>(value)};
}

int order_mixed(const whole_number& left, double right) noexcept {
    constexpr double two_to_64 = 18446744073709551616.0;
    if (std::isnan(right) || right >= two_to_64) {
        return -1;
    }
    if (right <= -two_to_64) {
        return 1;
    }
    const double truncated = std::trunc(right);
    const auto magnitude = static_cast<std::uint64_t>(std::fabs(truncated));
    const int whole = order(left, truncated < 0 ? whole_number(-1, 0 - magnitude) : whole_number(0, magnitude));
    return whole != 0 ? whole : order(truncated, right);
}

int order_doubles(double left, double right) noexcept {
    const int by_nan = order(std::isnan(left), std::isnan(right));
    return by_nan != 0 ? by_nan : order(left, right);
}

/// Computes left * right mod `modulus` without a wider type. Both factors must be below `modulus`.
std::uint64_t multiply_modulo(std::uint64_t left, std::uint64_t right, std::uint64_t modulus) noexcept {
    constexpr std::uint64_t half = 0xffffffff;
    if (left <= half && right <= half) {
        return left * right % modulus;
    }
    const auto add = [modulus](std::uint64_t a, std::uint64_t b) { return a >= modulus - b ? a - (modulus - b) : a + b; };
    std::uint64_t sum = 0;
    for (; right != 0; right >>= 1) {
        if ((right & 1) != 0) {
            sum = add(sum, left);
        }
        left = add(left, left);
    }
    return sum;
}

decimal without_trailing_zeros(decimal number) noexcept {
    while (number.digits != 0 && number.digits % 10 == 0) {
        number.digits /= 10;
        ++number.exponent;
    }
    return number;
}

}  // namespace

int compare_numbers(const json& left, const json& right) noexcept {
    const auto* left_double = left.get_ptr<const json::number_float_t*>();
    const auto* right_double = right.get_ptr<const json::number_float_t*>();
    if (left_double != nullptr && right_double != nullptr) {
        return order_doubles(*left_double, *right_double);
    }
    if (left_double != nullptr) {
        return -order_mixed(whole_of(right), *left_double);
    }
    return right_double != nullptr ? order_mixed(whole_of(left), *right_double) : order(whole_of(left), whole_of(right));
}

bool is_whole(const json& number) noexcept {
    const auto* value = number.get_ptr<const json::number_float_t*>();
    return value == nullptr || (std::isfinite(*value) && std::trunc(*value) == *value);
}

bool is_finite(const json& number) noexcept {
    const auto* value = number.get_ptr<const json::number_float_t*>();
    return value == nullptr || std::isfinite(*value);
}

decimal decimal_of(const json& number) noexcept {
    const auto* value = number.get_ptr<const json::number_float_t*>();
    if (value == nullptr) {
        const auto [high, low] = whole_of(number);
        return without_trailing_zeros({high < 0 ? 0 - low : low, 0});
    }
    // The shortest decimal that gives this double is most likely what the author wrote.
    char text[40];
    const char* const end = std::to_chars(text, text + sizeof text, std::fabs(*value), std::chars_format::scientific).ptr;
    const char* const exponent = std::find<const char*>(text, end, 'e') + 1;
    decimal read;
    std::from_chars(exponent + (*exponent == '+' ? 1 : 0), end, read.exponent);
    bool fraction = false;
    for (const char c : std::string_view(text, exponent - 1)) {
        if (c == '.') {
            fraction = true;
        } else {
            read.digits = read.digits * 10 + static_cast<std::uint64_t>(c - '0');
            read.exponent -= fraction ? 1 : 0;
        }
    }
    return without_trailing_zeros(read);
}

bool is_multiple(const json& number, const decimal& divisor) noexcept {
    const decimal value = decimal_of(number);
    if (value.digits == 0) {
        return true;
    }
    // Without trailing zeros, a value with more decimals than the divisor is not a multiple.
    if (value.exponent < divisor.exponent) {
        return false;
    }
    std::uint64_t remainder = value.digits % divisor.digits;
    std::uint64_t power = 10 % divisor.digits;
    for (int count = value.exponent - divisor.exponent; count != 0; count /= 2) {
        if (count % 2 != 0) {
            remainder = multiply_modulo(remainder, power, divisor.digits);
        }
        power = multiply_modulo(power, power, divisor.digits);
    }
    return remainder == 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
