#pragma once
#include <pyaichat/config/config.hpp>

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// An amount of US dollars in whole millionths, so that sums are exact.
struct money {
    std::int64_t micro_dollars = 0;

    /// Adds an amount. A negative amount counts as zero, and the sum saturates.
    money& operator+=(money other) noexcept {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t added = other.micro_dollars < 0 ? 0 : other.micro_dollars;
        micro_dollars = micro_dollars > most - added ? most : micro_dollars + added;
        return *this;
    }
    friend bool operator==(money, money) = default;
    friend auto operator<=>(money, money) = default;
};

/// Returns an amount of dollars, rounded to a millionth: `dollars(0.5)`. Too large an amount saturates; NaN is zero.
[[nodiscard]] money dollars(double amount) noexcept;

/// Returns the amount for a person, with two to six decimals: "$0.50", "$0.000125".
[[nodiscard]] std::string to_string(money amount);

}  // namespace pyaichat::inline PYAICHAT_ABI
