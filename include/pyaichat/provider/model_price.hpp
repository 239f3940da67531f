#pragma once
#include <pyaichat/message/money.hpp>
#include <pyaichat/message/usage.hpp>

#include <cstdint>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

/// Prices for a million tokens.
struct token_prices {
    money input = {};
    money output = {};
    std::optional<money> cached_input = {};  ///< for `token_usage::cached_tokens`; empty = as `input`
    std::optional<money> cache_write = {};   ///< for `token_usage::cache_write_tokens`; empty = as `input`

    friend bool operator==(const token_prices&, const token_prices&) = default;
};

/// The price of a model. The default is a model that costs nothing, such as one on the own machine.
struct model_price {
    token_prices tokens = {};
    std::int64_t long_prompt = 0;  ///< above this number of input tokens, `long_prompt_tokens` applies to the whole call; 0 = never
    token_prices long_prompt_tokens = {};

    /// Returns the cost of one model call, rounded up to a millionth of a dollar. Saturates.
    [[nodiscard]] money cost(const token_usage& usage) const noexcept;
    /// Returns whether all prices are zero.
    [[nodiscard]] bool is_free() const noexcept { return *this == model_price{}; }

    friend bool operator==(const model_price&, const model_price&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
