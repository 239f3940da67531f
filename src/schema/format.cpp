#include "schema/format.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/pattern.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Removes exactly `count` digits from the front and returns their value, or -1.
int take_digits(std::string_view& text, std::size_t count) noexcept {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i >= text.size() || !is_digit(text[i])) {
            return -1;
        }
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return value;
}

bool take(std::string_view& text, char c) noexcept {
    if (text.empty() || text.front() != c) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

bool is_date(std::string_view text) noexcept {
    const int year = take_digits(text, 4);
    const int month = year >= 0 && take(text, '-') ? take_digits(text, 2) : -1;
    const int day = month >= 0 && take(text, '-') ? take_digits(text, 2) : -1;
    const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    return day >= 1 && date.ok() && text.empty();
}

/// `full-time` of RFC 3339. A leap second is valid only at the end of a UTC day.
bool is_time(std::string_view text) noexcept {
    const int hour = take_digits(text, 2);
    const int minute = hour >= 0 && take(text, ':') ? take_digits(text, 2) : -1;
    const int second = minute >= 0 && take(text, ':') ? take_digits(text, 2) : -1;
    if (second < 0 || hour > 23 || minute > 59 || second > 60) {
        return false;
    }
    if (take(text, '.')) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        if (digits == 0) {
            return false;
        }
        text.remove_prefix(digits);
    }
    int offset = 0;
    if (!take(text, 'Z') && !take(text, 'z')) {
        const bool behind = take(text, '-');
        if (!behind && !take(text, '+')) {
            return false;
        }
        const int hours = take_digits(text, 2);
        const int minutes = hours >= 0 && take(text, ':') ? take_digits(text, 2) : -1;
        if (hours > 23 || minutes < 0 || minutes > 59) {
            return false;
        }
        offset = (hours * 60 + minutes) * (behind ? -1 : 1);
    }
    constexpr int day = 24 * 60;
    const int utc = ((hour * 60 + minute - offset) % day + day) % day;
    return text.empty() && (second < 60 || utc == day - 1);
}

bool is_date_time(std::string_view text) noexcept {
    return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && is_date(text.substr(0, 10)) && is_time(text.substr(11));
}

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

bool is_uuid(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? text[i] != '-' : hex_digit(text[i]) < 0) {
            return false;
        }
    }
    return text.size() == 36;
}

bool is_json_pointer(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) {
            return false;
        }
    }
    return text.empty() || text.front() == '/';
}

bool is_regex(std::string_view text) {
    return pattern::compile(text).has_value();
}

constexpr std::array<text_format, 8> formats{{
    {"date", "a date like 2024-02-29", is_date},
    {"time", "a time with its offset, like 09:30:00Z or 09:30:00+02:00", is_time},
    {"date-time", "a date and a time with its offset, like 2024-02-29T09:30:00Z", is_date_time},
    {"ipv4", "an IPv4 address like 192.0.2.1", is_ipv4},
    {"ipv6", "an IPv6 address like 2001:db8::1", is_ipv6},
    {"uuid", "a UUID like 123e4567-e89b-12d3-a456-426614174000", is_uuid},
    {"json-pointer", "a JSON Pointer: empty, or /a/b with ~ as ~0 and / as ~1", is_json_pointer},
    {"regex", "a regular expression of ECMA-262", is_regex},
}};

}  // namespace

const text_format* find_format(std::string_view name, draft which) noexcept {
    const auto found = std::find_if(formats.begin(), formats.end(),
                                    [&](const text_format& format) { return format.name == name && which >= format.since; });
    return found != formats.end() ? &*found : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
