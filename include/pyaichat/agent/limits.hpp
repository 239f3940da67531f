#pragma once
#include <pyaichat/core/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

/// The bounds of one run. Zero switches off what says so; zero elsewhere, or anything negative, is a failure and the run is not started.
struct limits {
    int max_steps = 6;                                ///< model calls, corrective retries included
    duration step_timeout = std::chrono::seconds(8);  ///< one model call, transport retries included
    duration total_timeout = std::chrono::seconds(20);
    int invalid_response_retries = 1;  ///< corrective retries in the run; 0 = none
    int transport_retries = 2;         ///< per model call; 0 = none
    duration call_timeout = std::chrono::seconds(5);
    int max_calls_per_step = 16;
    int max_calls = 64;
    std::size_t max_reply_bytes = std::size_t{16} << 10;  ///< one reply as sent to the model, at least 256; 0 = off
    std::int64_t max_tokens_total = 0;                    ///< input and output over the run; 0 = off
    int max_recoveries = 3;                               ///< after crashes of the program; the run after the last one ends
    std::optional<duration> approval_timeout = {};        ///< how long a person may take to decide; empty = any time
    int max_repeats = 3;  ///< of one call with one result: the n-th is remarked on, the next refused, the one after ends the run; 0 = off

    friend bool operator==(const limits&, const limits&) = default;
};

/// Fails with `invalid_argument`, naming the field and what to set it to.
[[nodiscard]] result<void> check(const limits& value);

}  // namespace pyaichat::inline PYAICHAT_ABI
