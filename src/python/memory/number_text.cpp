#include "python/memory/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

std::string float_text(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
    const std::string text(buffer.data(), end);  // the shortest digits that give the same number: -1.25e+16
    const std::size_t mark = text.find('e');
    const int exponent = std::atoi(text.c_str() + mark + 1);
    const bool negative = text[0] == '-';
    std::string digits = text.substr(negative ? 1 : 0, mark - (negative ? 1 : 0));
    std::erase(digits, '.');
    const auto size = static_cast<int>(digits.size());
    std::string out = negative ? "-" : "";
    if (exponent < -4 || exponent >= 16) {
        const std::string power = std::to_string(std::abs(exponent));
        return out + digits[0] + (size > 1 ? "." + digits.substr(1) : "") + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") +
               power;
    }
    if (exponent < 0) {
        return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    }
    if (size <= exponent + 1) {
        return out + digits + std::string(static_cast<std::size_t>(exponent + 1 - size), '0') + ".0";
    }
    return out + digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." + digits.substr(static_cast<std::size_t>(exponent) + 1);
}

std::string integer_text(std::span<const std::uint32_t> digits, unsigned digit_bits, bool negative) {
    constexpr std::uint64_t billion = 1'000'000'000;
    std::vector<std::uint32_t> parts = {0};  // nine decimal digits each, lowest first
    for (std::size_t i = digits.size(); i-- > 0;) {
        std::uint64_t carry = digits[i];
        for (std::uint32_t& part : parts) {
            const std::uint64_t value = (std::uint64_t{part} << digit_bits) + carry;
            part = static_cast<std::uint32_t>(value % billion);
            carry = value / billion;
        }
        for (; carry != 0; carry /= billion) {
            parts.push_back(static_cast<std::uint32_t>(carry % billion));
        }
    }
    std::string text = (negative ? "-" : "") + std::to_string(parts.back());
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
        const std::string part = std::to_string(parts[i]);
        text += std::string(9 - part.size(), '0') + part;
    }
    return text;
}

std::string long_integer_text(std::uint64_t bits, bool negative) {
    const double digits = std::floor(static_cast<double>(bits - 1) * std::log10(2.0));
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "<int of %llu bits, about %s10**%.0f>", static_cast<unsigned long long>(bits),
                  negative ? "-" : "", digits);
    return text.data();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
