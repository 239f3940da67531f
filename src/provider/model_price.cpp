#include <pyaichat/provider/model_price.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

constexpr std::int64_t tokens_of_a_price = 1'000'000;

/// Adds numbers that are not negative. Saturates.
std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
    return token_usage::sum(a, b);
}

/// Multiplies numbers that are not negative. Saturates.
std::int64_t saturated_product(std::int64_t a, std::int64_t b) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return a != 0 && b > most / a ? most : a * b;
}

struct priced_tokens {
    std::int64_t count;
    money price;  ///< for a million
};

}  // namespace

money model_price::cost(const token_usage& usage) const noexcept {
    const std::int64_t input = std::max<std::int64_t>(usage.input_tokens, 0);
    const std::int64_t cached = std::clamp<std::int64_t>(usage.cached_tokens, 0, input);
    const std::int64_t written = std::clamp<std::int64_t>(usage.cache_write_tokens, 0, input - cached);
    const token_prices& prices = long_prompt > 0 && input > long_prompt ? long_prompt_tokens : tokens;
    const std::array<priced_tokens, 4> parts = {{{input - cached - written, prices.input},
                                                 {cached, prices.cached_input.value_or(prices.input)},
                                                 {written, prices.cache_write.value_or(prices.input)},
                                                 {std::max<std::int64_t>(usage.output_tokens, 0), prices.output}}};
    // Whole millions of tokens and the remainder apart: their product with the price would overflow.
    std::int64_t whole = 0;
    std::int64_t fraction = 0;
    for (const priced_tokens& part : parts) {
        const std::int64_t price = std::max<std::int64_t>(part.price.micro_dollars, 0);
        whole = saturated_sum(whole, saturated_product(part.count / tokens_of_a_price, price));
        fraction = saturated_sum(fraction, saturated_product(part.count % tokens_of_a_price, price));
    }
    const std::int64_t rounded_up = fraction / tokens_of_a_price + (fraction % tokens_of_a_price != 0 ? 1 : 0);
    return {.micro_dollars = saturated_sum(whole, rounded_up)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
