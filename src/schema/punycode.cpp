#include "schema/punycode.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_encoded = 63;  // of a label, in characters: keeps all sums below 2^32
constexpr std::uint32_t digit_base = 36, least_threshold = 1, most_threshold = 26, first_code_point = 128, first_bias = 72;

std::uint32_t threshold(std::uint32_t position, std::uint32_t bias) noexcept {
    return position <= bias ? least_threshold : std::min(position - bias, most_threshold);
}

std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t points, bool first) noexcept {
    constexpr std::uint32_t skew = 38, damp = 700;
    delta = first ? delta / damp : delta / 2;
    delta += delta / points;
    std::uint32_t steps = 0;
    for (; delta > (digit_base - least_threshold) * most_threshold / 2; steps += digit_base) {
        delta /= digit_base - least_threshold;
    }
    return steps + (digit_base - least_threshold + 1) * delta / (delta + skew);
}

char digit_character(std::uint32_t digit) noexcept {
    return static_cast<char>(digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

std::uint32_t digit_value(char c) noexcept {
    if (is_digit(c)) {
        return static_cast<std::uint32_t>(c - '0') + 26;
    }
    return is_letter(c) ? static_cast<std::uint32_t>((c | 0x20) - 'a') : digit_base;
}

}  // namespace

std::string punycode_of(std::u32string_view text) {
    std::string out;
    if (text.size() > longest_encoded) {
        return out;
    }
    for (const char32_t c : text) {
        if (c < first_code_point) {
            out += static_cast<char>(c);
        }
    }
    const auto basic = static_cast<std::uint32_t>(out.size());
    std::uint32_t handled = basic;
    if (basic > 0) {
        out += '-';
    }
    std::uint32_t bias = first_bias;
    std::uint32_t delta = 0;
    for (std::uint32_t point = first_code_point; handled < text.size(); ++point, ++delta) {
        std::uint32_t next = 0x110000;
        for (const char32_t c : text) {
            next = c >= point ? std::min<std::uint32_t>(next, c) : next;
        }
        delta += (next - point) * (handled + 1);
        point = next;
        for (const char32_t c : text) {
            delta += c < point ? 1 : 0;
            if (c != point) {
                continue;
            }
            std::uint32_t rest = delta;
            for (std::uint32_t position = digit_base;; position += digit_base) {
                const std::uint32_t limit = threshold(position, bias);
                if (rest < limit) {
                    break;
                }
                out += digit_character(limit + (rest - limit) % (digit_base - limit));
                rest = (rest - limit) / (digit_base - limit);
            }
            out += digit_character(rest);
            bias = adapted_bias(delta, handled + 1, handled == basic);
            delta = 0;
            ++handled;
        }
    }
    return out;
}

std::optional<std::u32string> from_punycode(std::string_view text) {
    if (text.size() > longest_encoded) {
        return std::nullopt;
    }
    std::u32string out;
    if (const std::size_t hyphen = text.rfind('-'); hyphen != text.npos) {
        out.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(hyphen));
        text.remove_prefix(hyphen + 1);
    }
    std::uint64_t point = first_code_point;
    std::uint64_t index = 0;
    std::uint32_t bias = first_bias;
    while (!text.empty()) {
        const std::uint64_t before = index;
        std::uint64_t weight = 1;
        for (std::uint32_t position = digit_base;; position += digit_base) {
            const std::uint32_t digit = text.empty() ? digit_base : digit_value(text.front());
            if (digit >= digit_base || index > UINT32_MAX || weight > UINT32_MAX) {
                return std::nullopt;
            }
            text.remove_prefix(1);
            index += digit * weight;
            const std::uint32_t limit = threshold(position, bias);
            if (digit < limit) {
                break;
            }
            weight *= digit_base - limit;
        }
        if (index > UINT32_MAX) {
            return std::nullopt;
        }
        const std::uint64_t count = out.size() + 1;
        bias = adapted_bias(static_cast<std::uint32_t>(index - before), static_cast<std::uint32_t>(count), before == 0);
        point += index / count;
        index %= count;
        if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
            return std::nullopt;
        }
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(index), static_cast<char32_t>(point));
        ++index;
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
