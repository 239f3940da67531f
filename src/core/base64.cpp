#include "core/base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char no_digit = 64;

constexpr std::array<unsigned char, 256> base64_values = [] {
    std::array<unsigned char, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < base64_digits.size(); ++i) {
        values[static_cast<unsigned char>(base64_digits[i])] = static_cast<unsigned char>(i);
    }
    return values;
}();

}  // namespace

std::string encode_base64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view three = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = bits << 8U | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += i <= three.size() ? base64_digits[bits >> (18 - 6 * i) & 63U] : '=';
        }
    }
    return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    text.remove_suffix(padding);
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned held = 0;  // the number of bits that are not written yet
    for (const char c : text) {
        const unsigned char value = base64_values[static_cast<unsigned char>(c)];
        if (value == no_digit) {
            return std::nullopt;
        }
        bits = (bits << 6U | value) & 0xFFFFU;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out += static_cast<char>(bits >> held & 0xFFU);
        }
    }
    // The bits that fill up the last digit are zero, so each text has one meaning.
    return (bits & ((1U << held) - 1U)) == 0 ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
