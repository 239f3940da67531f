#include "python/look/adapters/cell_type.hpp"

#include <array>
#include <cstdio>
#include <limits>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Ticks per second of a unit below a day, and the digits of its fraction; seconds per tick of a longer one.
struct time_unit {
    std::string_view name;
    std::int64_t seconds;  ///< per unit, or 0 for fractions of a second
    std::int64_t per_second;
    int digits;
};

constexpr std::array<time_unit, 11> time_units = {{{"W", 604'800, 1, 0},
                                                   {"D", 86'400, 1, 0},
                                                   {"h", 3'600, 1, 0},
                                                   {"m", 60, 1, 0},
                                                   {"s", 1, 1, 0},
                                                   {"ms", 0, 1'000, 3},
                                                   {"us", 0, 1'000'000, 6},
                                                   {"ns", 0, 1'000'000'000, 9},
                                                   {"ps", 0, 1'000'000'000'000, 12},
                                                   {"fs", 0, 1'000'000'000'000'000, 15},
                                                   {"as", 0, 1'000'000'000'000'000'000, 18}}};

struct split_time {
    std::int64_t days;
    std::int64_t seconds;  ///< of the day
    std::int64_t fraction;
    int digits;
};

std::int64_t floor_div(std::int64_t value, std::int64_t by) {
    return value / by - (value % by < 0 ? 1 : 0);
}

/// Whether days and seconds can express the ticks, and how.
std::optional<split_time> split(std::int64_t ticks, const cell_type& type) {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    for (const time_unit& unit : time_units) {
        if (unit.name != type.unit) {
            continue;
        }
        const std::int64_t factor = type.scale * (unit.seconds > 0 ? unit.seconds : 1);
        if (type.scale <= 0 || factor <= 0 || ticks > largest / factor || ticks < -(largest / factor)) {
            return std::nullopt;
        }
        const std::int64_t value = ticks * factor;
        const std::int64_t seconds = floor_div(value, unit.per_second);
        const std::int64_t days = floor_div(seconds, 86'400);
        return split_time{days, seconds - days * 86'400, value - seconds * unit.per_second, unit.digits};
    }
    return std::nullopt;
}

std::string clock_text(const split_time& time) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%02d:%02d:%02d", static_cast<int>(time.seconds / 3600),
                  static_cast<int>(time.seconds / 60 % 60), static_cast<int>(time.seconds % 60));
    std::string out = text.data();
    if (time.fraction != 0) {
        std::snprintf(text.data(), text.size(), ".%0*lld", time.digits, static_cast<long long>(time.fraction));
        out += text.data();
        out.erase(out.find_last_not_of('0') + 1);
    }
    return out;
}

std::string date_text(std::int64_t days) {
    // Days since 1970-01-01 to a date of the Gregorian calendar, counted in eras of 400 years from March of year 0.
    const std::int64_t shifted = days + 719'468;
    const std::int64_t era = floor_div(shifted, 146'097);
    const std::int64_t day_of_era = shifted - era * 146'097;
    const std::int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
    const auto day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    const auto month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    std::array<char, 48> text{};
    const auto year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    std::snprintf(text.data(), text.size(), "%04lld-%02d-%02d", static_cast<long long>(year), month, day);
    return text.data();
}

constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();
/// Numbers of years beyond this are printed as ticks.
constexpr std::int64_t max_ticks_of_years = 1'000'000'000;

std::string ticks_text(std::int64_t ticks, const cell_type& type) {
    std::string text = std::to_string(ticks);
    if (!type.unit.empty()) {
        text += " " + (type.scale == 1 ? std::string() : "x " + std::to_string(type.scale) + " ") + type.unit;
    }
    return text;
}

}  // namespace

std::string time_text(std::int64_t ticks, const cell_type& type) {
    if (ticks == not_a_time) {
        return "NaT";
    }
    const bool small = ticks < max_ticks_of_years && ticks > -max_ticks_of_years && type.scale > 0 && type.scale < max_ticks_of_years;
    if (small && type.unit == "Y") {
        return std::to_string(1970 + ticks * type.scale);
    }
    if (small && type.unit == "M") {
        const std::int64_t months = ticks * type.scale;
        const std::int64_t years = floor_div(months, 12);
        const std::int64_t month = months - years * 12 + 1;
        return std::to_string(1970 + years) + (month < 10 ? "-0" : "-") + std::to_string(month);
    }
    const std::optional<split_time> time = split(ticks, type);
    if (!time) {
        return ticks_text(ticks, type);
    }
    const bool whole_days = time->seconds == 0 && time->fraction == 0;
    return date_text(time->days) + (whole_days ? "" : "T" + clock_text(*time));
}

std::string duration_text(std::int64_t ticks, const cell_type& type) {
    if (ticks == not_a_time) {
        return "NaT";
    }
    const std::optional<split_time> time = split(ticks, type);
    if (!time) {
        return ticks_text(ticks, type);
    }
    const std::string days = time->days == 0 ? "" : std::to_string(time->days) + (time->days == 1 ? " day" : " days");
    const bool whole_days = time->seconds == 0 && time->fraction == 0;
    return whole_days && !days.empty() ? days : (days.empty() ? "" : days + " ") + clock_text(*time);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
