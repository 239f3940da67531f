#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/money.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

/// The limits of one run. Zero turns off a limit only where stated. With an invalid value, the run ends with the reason `misconfigured`.
struct limits {
    int max_steps = 6;                                ///< model calls, including corrective retries
    duration step_timeout = std::chrono::seconds(8);  ///< one model call, including transport retries
    duration total_timeout = std::chrono::seconds(20);
    int invalid_response_retries = 1;  ///< corrective retries per run; 0 = none
    int transport_retries = 2;         ///< per model call; 0 = none
    duration call_timeout = std::chrono::seconds(5);
    int max_calls_per_step = 16;
    int max_calls = 64;
    std::size_t max_reply_bytes = std::size_t{16}
                                  << 10;  ///< one reply as sent to the model, at least 256 (hooks and nested calls: 256 KiB); 0 = off
    std::size_t max_image_bytes = std::size_t{3} << 20;         ///< one image, before base64; 0 = off
    int max_images = 8;                                         ///< in one message: with a question, or in all replies of a step; 0 = off
    std::size_t max_image_bytes_total = std::size_t{12} << 20;  ///< all images of the run, before base64; 0 = off
    std::int64_t max_tokens_total = 0;                          ///< input and output over the run; 0 = off
    money max_cost = {};                            ///< over the run; needs a provider that tells its cost, such as `priced`; 0 = off
    int max_recoveries = 3;                         ///< after crashes of the program; a further one ends the run
    std::optional<duration> approval_timeout = {};  ///< for the decision of a person or the reply to a suspended call; empty = no limit
    int parallel_reads = 1;                         ///< calls with `effects::read` that may run beside each other
    int max_repeats =
        3;  ///< of a call with the same result: the n-th gets a note, the next is refused, the one after ends the run; 0 = off

    friend bool operator==(const limits&, const limits&) = default;
};

/// Validates limits. Fails with `invalid_argument`; the message names the first invalid field, the hint its range. Thread-safe.
[[nodiscard]] result<void> check(const limits& value);

}  // namespace pyaichat::inline PYAICHAT_ABI
