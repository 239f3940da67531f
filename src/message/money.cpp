#include <pyaichat/message/money.hpp>

#include <cmath>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

constexpr std::int64_t micro_dollars_per_dollar = 1'000'000;

}  // namespace

money dollars(double amount) noexcept {
    constexpr double most = 9e18;  // below the largest `std::int64_t`
    const double scaled = amount * static_cast<double>(micro_dollars_per_dollar);
    if (std::isnan(scaled)) {
        return {};
    }
    return {.micro_dollars = std::llround(std::fmin(std::fmax(scaled, -most), most))};
}

std::string to_string(money amount) {
    const bool negative = amount.micro_dollars < 0;
    const auto size = negative ? 0 - static_cast<std::uint64_t>(amount.micro_dollars) : static_cast<std::uint64_t>(amount.micro_dollars);
    const std::string whole = std::to_string(size / micro_dollars_per_dollar);
    std::string decimals = std::to_string(micro_dollars_per_dollar + static_cast<std::int64_t>(size % micro_dollars_per_dollar)).substr(1);
    while (decimals.size() > 2 && decimals.back() == '0') {
        decimals.pop_back();
    }
    return (negative ? "-$" : "$") + whole + "." + decimals;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
