#include <pyaichat/core/time.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI {

std::string describe(duration span) {
    struct unit {
        duration size;
        const char* name;
    };
    static constexpr std::array units{unit{std::chrono::seconds(1), "s"}, unit{std::chrono::milliseconds(1), "ms"},
                                      unit{std::chrono::microseconds(1), "us"}};
    if (span < duration::zero()) {
        span = duration::zero();
    }
    for (const unit& scale : units) {
        if (span >= scale.size) {
            const double tenths = std::round(10.0 * static_cast<double>(span.count()) / static_cast<double>(scale.size.count()));
            std::array<char, 48> text{};
            const bool whole = tenths >= 1000 || std::fmod(tenths, 10) == 0;
            std::snprintf(text.data(), text.size(), whole ? "%.0f %s" : "%.1f %s", tenths / 10, scale.name);
            return text.data();
        }
    }
    return std::to_string(span.count()) + " ns";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
