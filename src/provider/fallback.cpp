#include <pyaichat/provider/fallback.hpp>

#include <pyaichat/core/text.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

bool another_may_help(errc code) noexcept {
    switch (code) {
        case errc::invalid_argument:
        case errc::name_clash:
        case errc::not_found:
        case errc::not_allowed:
        case errc::cancelled: return false;
        default: return true;
    }
}

namespace detail {

namespace {

bool may_pass_with_time(errc code) {
    return code == errc::rate_limited || code == errc::unavailable || code == errc::connection_failed;
}

/// The failure for the loop, which decides by its code and `retry_after`. The message has the messages of all failures.
failure merged(const std::vector<failure>& failures) {
    failure best = failures.front();
    std::string all;
    for (std::size_t i = 0; i < failures.size(); ++i) {
        const failure& other = failures[i];
        const bool sooner = other.retry_after.value_or(duration::zero()) < best.retry_after.value_or(duration::zero());
        if (may_pass_with_time(other.code) && (!may_pass_with_time(best.code) || sooner)) {
            best = other;
        }
        all += (i == 0 ? "provider " : "; provider ") + std::to_string(i + 1) + ": " + std::string(to_string(other.code)) + ": " +
               one_line(other.message, 400);
    }
    if (failures.size() > 1) {
        best.message = std::move(all);
    }
    return best;
}

/// The deltas of one provider, until it has returned.
struct screen {
    std::atomic<bool> open = true;
    std::atomic<bool> used = false;
};

}  // namespace

result<model_response> try_in_order(std::span<const provider_attempt> attempts, const model_request& request, const delta_sink& sink,
                                    const cancel_token& cancel) {
    const auto begin = std::chrono::steady_clock::now();
    model_request rest = request;  // a copy shares its messages and declarations
    std::vector<failure> failures;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const provider_attempt& complete = attempts[i];
        if (cancel.stop_requested()) {
            return failure{.code = errc::cancelled, .message = "cancelled before the next provider was called"};
        }
        if (request.time_left != duration::max()) {
            // A share, so that a provider that hangs leaves time for those behind it.
            rest.time_left = (request.time_left - (std::chrono::steady_clock::now() - begin)) / static_cast<int>(attempts.size() - i);
            if (rest.time_left <= duration::zero()) {
                break;
            }
        }
        const auto shown = std::make_shared<screen>();
        const delta_sink watched([shown, out = sink](delta_sink::kind what, std::string_view piece) {
            if (shown->open) {  // a thread of the provider may still run after the provider has returned
                shown->used = true;
                out(what, piece);
            }
        });
        result<model_response> outcome = guarded(
            [&] { return complete(rest, watched, cancel); },
            [](std::string_view what) {
                return result<model_response>(failure{.code = errc::internal, .message = "the provider threw: " + std::string(what)});
            });
        shown->open = false;
        if (outcome || !another_may_help(outcome.error().code)) {
            return outcome;
        }
        failures.push_back(std::move(outcome.error()));
        if (shown->used) {
            sink.restart();
        }
    }
    return merged(failures);
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
