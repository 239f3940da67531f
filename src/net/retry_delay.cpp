#include "net/retry_delay.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

std::optional<int> month_of(std::string_view name) {
    const std::size_t at = std::string_view("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec").find(name);
    return at % 4 == 0 ? std::optional<int>(static_cast<int>(at / 4) + 1) : std::nullopt;
}

std::optional<int> number(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range && end == digits.data() + digits.size()) {
        return digits.starts_with('-') ? -1 : std::numeric_limits<int>::max();  // saturate
    }
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional<int>(value) : std::nullopt;
}

}  // namespace

std::optional<duration> parse_duration(std::string_view text) {
    if (!text.ends_with('s')) {
        return std::nullopt;
    }
    text.remove_suffix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string fraction(text.substr(std::min(point + 1, text.size())));
    fraction.resize(9, '0');  // nanoseconds
    const std::optional<int> seconds = number(whole);
    const std::optional<int> nanoseconds = number(fraction);
    if (!seconds || !nanoseconds || *seconds < 0 || *nanoseconds < 0) {
        return std::nullopt;
    }
    return std::chrono::seconds(*seconds) + std::chrono::nanoseconds(*nanoseconds);
}

std::optional<duration> parse_retry_after(std::string_view text, std::chrono::system_clock::time_point now) {
    if (const std::optional<duration> seconds = parse_duration(std::string(text) + "s"); seconds) {
        return seconds;
    }
    // "Sat, 21 Nov 2026 22:00:00 GMT": the only format that HTTP servers may send
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") {
        return std::nullopt;
    }
    const auto day = number(text.substr(5, 2));
    const auto month = month_of(text.substr(8, 3));
    const auto year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2));
    const auto minute = number(text.substr(20, 2));
    const auto second = number(text.substr(23, 2));
    if (!day || !month || !year || !hour || !minute || !second) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    if (!date.ok()) {
        return std::nullopt;
    }
    const auto then =
        std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
    // In seconds: nanoseconds would overflow for distant years.
    const auto wait = std::chrono::duration_cast<std::chrono::seconds>(then - std::chrono::floor<std::chrono::seconds>(now));
    return std::clamp<std::chrono::seconds>(wait, std::chrono::seconds(0), std::chrono::hours(24 * 366));
}

std::optional<duration> parse_compound_duration(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    duration sum = duration::zero();
    while (!text.empty()) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
        const std::optional<duration> seconds = parse_duration(std::string(text.substr(0, digits)) + "s");
        if (!seconds || *seconds > std::chrono::hours(24 * 366)) {
            return std::nullopt;
        }
        text.remove_prefix(digits);
        const std::size_t letters = std::min(text.find_first_of("0123456789."), text.size());
        const std::string_view unit = text.substr(0, letters);
        text.remove_prefix(letters);
        if (unit == "ms") {
            sum += *seconds / 1000;
        } else if (unit == "s") {
            sum += *seconds;
        } else if (unit == "m") {
            sum += *seconds * 60;
        } else if (unit == "h" && *seconds <= std::chrono::hours(1)) {
            sum += *seconds * 3600;
        } else {
            return std::nullopt;
        }
    }
    return sum;
}

std::optional<duration> delay_in_words(std::string_view message) {
    for (const std::string_view lead : {"retry in ", "try again in "}) {
        const std::size_t at = message.rfind(lead);
        if (at == std::string_view::npos) {
            continue;
        }
        std::string_view rest = message.substr(at + lead.size());
        rest = rest.substr(0, rest.find_first_not_of("0123456789.hms"));
        while (rest.ends_with('.')) {
            rest.remove_suffix(1);
        }
        if (const std::optional<duration> wait = parse_compound_duration(rest)) {
            return wait;
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
