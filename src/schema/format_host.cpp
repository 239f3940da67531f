#include "schema/format_checks.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/idn_label.hpp"

#include <algorithm>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_host_label = 63;
constexpr std::size_t longest_host_name = 253;

/// Letters, digits and hyphens, but no hyphen at an end.
bool is_ldh_label(std::string_view label) noexcept {
    return !label.empty() && label.size() <= longest_host_label && label.front() != '-' && label.back() != '-' &&
           std::all_of(label.begin(), label.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_ascii_label(std::string_view label) {
    return is_ldh_label(label) && (!starts_like_a_label(label) || is_a_label(label));
}

template <class IsLabel>
bool are_labels(std::string_view text, IsLabel is_label) {
    for (;;) {
        const std::size_t dot = text.find('.');
        if (!is_label(text.substr(0, dot))) {
            return false;
        }
        if (dot == text.npos) {
            return true;
        }
        text.remove_prefix(dot + 1);
    }
}

/// Replaces the other dots of RFC 3490 by ".".
std::string with_plain_dots(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const bool dot = text.starts_with("\u3002") || text.starts_with("\uff0e") || text.starts_with("\uff61");
        plain += dot ? '.' : text.front();
        text.remove_prefix(dot ? 3 : 1);
    }
    return plain;
}

}  // namespace

bool is_ipv4(std::string_view text) noexcept {
    for (int part = 0; part < 4; ++part) {
        if (part > 0 && !take(text, '.')) {
            return false;
        }
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const bool octal = digits > 1 && text.front() == '0';  // to some parsers
        const int value = digits > 0 && digits <= 3 && !octal ? take_digits(text, digits) : -1;
        if (value < 0 || value > 255) {
            return false;
        }
    }
    return text.empty();
}

bool is_ipv6(std::string_view text) noexcept {
    int groups = 0;
    bool gap = text.starts_with("::");
    if (gap) {
        text.remove_prefix(2);
    }
    while (!text.empty()) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789abcdefABCDEF"), text.size());
        if (digits < text.size() && text[digits] == '.') {
            groups += 2;
            return is_ipv4(text) && (gap ? groups < 8 : groups == 8);
        }
        if (digits == 0 || digits > 4) {
            return false;
        }
        text.remove_prefix(digits);
        ++groups;
        if (text.empty()) {
            break;
        }
        if (!take(text, ':') || text.empty()) {
            return false;
        }
        if (text.front() == ':') {
            if (gap) {
                return false;
            }
            gap = true;
            text.remove_prefix(1);
        }
    }
    return gap ? groups < 8 : groups == 8;
}

bool is_hostname(std::string_view text) noexcept {
    return text.size() <= longest_host_name && are_labels(text, is_ldh_label);
}

bool is_ascii_hostname(std::string_view text) {
    return text.size() <= longest_host_name && are_labels(text, is_ascii_label);
}

bool is_idn_hostname(std::string_view text) {
    // A letter has at most 4 bytes of UTF-8, and at least one byte in its A-label.
    if (text.size() > 4 * longest_host_name || !is_utf8(text)) {
        return false;
    }
    std::size_t length = 0;
    const bool valid = are_labels(with_plain_dots(text), [&length](std::string_view label) {
        const std::string ascii = a_label_of(label);
        length += ascii.size() + 1;
        return is_ldh_label(ascii) && (ascii != label || is_ascii_label(label));
    });
    return valid && length - 1 <= longest_host_name;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
