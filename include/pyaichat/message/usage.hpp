#pragma once
#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <limits>

namespace pyaichat::inline PYAICHAT_ABI {

/// Token counts of one model call or of a run. A count that the service does not send is zero.
struct token_usage {
    std::int64_t input_tokens = 0;    ///< the whole prompt, including the cached part
    std::int64_t output_tokens = 0;   ///< all billed output, including thinking
    std::int64_t cached_tokens = 0;   ///< part of `input_tokens`
    std::int64_t thought_tokens = 0;  ///< part of `output_tokens`
    /// Part of `input_tokens`, and not of `cached_tokens`: written to the cache, for which some services charge more.
    std::int64_t cache_write_tokens = 0;

    /// Adds two counts. Negative counts are taken as zero, and the sum saturates, because counts from a service may be wrong.
    [[nodiscard]] static std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        a = a < 0 ? 0 : a;
        b = b < 0 ? 0 : b;
        return a > most - b ? most : a + b;
    }
    /// Returns input plus output tokens.
    [[nodiscard]] std::int64_t total() const noexcept { return sum(input_tokens, output_tokens); }
    token_usage& operator+=(const token_usage& other) noexcept {
        input_tokens = sum(input_tokens, other.input_tokens);
        output_tokens = sum(output_tokens, other.output_tokens);
        cached_tokens = sum(cached_tokens, other.cached_tokens);
        thought_tokens = sum(thought_tokens, other.thought_tokens);
        cache_write_tokens = sum(cache_write_tokens, other.cache_write_tokens);
        return *this;
    }
    friend bool operator==(const token_usage&, const token_usage&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
