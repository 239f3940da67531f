#include "schema/format_checks.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <chrono>

namespace pyaichat::inline PYAICHAT_ABI::detail {

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

/// The parts have a fixed order, and only the last ones may be missing after the first that is there. No fractions.
bool is_duration(std::string_view text) noexcept {
    // Removes numbers with the given units, which must follow each other without a gap. Returns how many, or -1.
    const auto take_parts = [&text](std::string_view units) {
        int count = 0;
        std::size_t next = 0;
        while (!text.empty() && is_digit(text.front())) {
            text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
            const std::size_t unit = text.empty() ? units.npos : units.find(text.front());
            if (unit == units.npos || unit < next || (count > 0 && unit != next)) {
                return -1;
            }
            next = unit + 1;
            ++count;
            text.remove_prefix(1);
        }
        return count;
    };
    if (!take(text, 'P')) {
        return false;
    }
    if (text.ends_with('W')) {
        text.remove_suffix(1);
        return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
    }
    const int days = take_parts("YMD");
    if (days < 0 || !take(text, 'T')) {
        return days > 0 && text.empty();
    }
    return take_parts("HMS") > 0 && text.empty();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
