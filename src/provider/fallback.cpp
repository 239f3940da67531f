#include <pyaichat/provider/fallback.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI {

bool another_may_help(errc code) noexcept {
    switch (code) {
        case errc::invalid_argument:
        case errc::name_clash:
        case errc::not_found:
        case errc::not_allowed:
        case errc::cancelled: return false;
        case errc::internal:
        case errc::invalid_state:
        case errc::busy:
        case errc::timeout:
        case errc::connection_failed:
        case errc::rate_limited:
        case errc::quota_exhausted:
        case errc::unavailable:
        case errc::authentication:
        case errc::permission_denied:
        case errc::unknown_model:
        case errc::request_rejected:
        case errc::bad_response:
        case errc::too_large: return true;
    }
    return true;
}

namespace detail {

namespace {

bool mended_by_time(errc code) {
    return code == errc::rate_limited || code == errc::unavailable || code == errc::connection_failed;
}

/// Of all failures the one that the loop should act on.
std::size_t most_hopeful(const std::vector<failure>& failures) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < failures.size(); ++i) {
        const failure& one = failures[i];
        const failure& other = failures[best];
        const bool sooner = one.retry_after.value_or(duration::zero()) < other.retry_after.value_or(duration::zero());
        if (mended_by_time(one.code) && (!mended_by_time(other.code) || sooner)) {
            best = i;
        }
    }
    return best;
}

}  // namespace

/// What one provider shows, until it has returned.
struct fallback_attempts::screen {
    std::atomic<bool> open = true;
    std::atomic<bool> used = false;
};

fallback_attempts::fallback_attempts(const model_request& request, const delta_sink& sink, const cancel_token& cancel)
    : request_(request), sink_(sink), cancel_(cancel), time_left_(request.time_left) {}

bool fallback_attempts::begin() {
    if (cancel_.stop_requested()) {
        outcome_ = failure{.code = errc::cancelled, .message = "cancelled before the next provider was asked"};
        failures_.clear();
        return false;
    }
    if (!failures_.empty() && time_left_ != duration::max()) {
        request_.time_left = time_left_ - (std::chrono::steady_clock::now() - from_);
        if (request_.time_left <= duration::zero()) {
            return false;
        }
    }
    return true;
}

delta_sink fallback_attempts::watch() {
    screen_ = std::make_shared<screen>();
    return delta_sink([screen = screen_, out = sink_](delta_sink::kind what, std::string_view piece) {
        if (!screen->open) {
            return;  // from a thread that its provider has forgotten
        }
        screen->used = true;
        out(what, piece);
    });
}

bool fallback_attempts::end(result<model_response> came) {
    screen_->open = false;
    if (came || !another_may_help(came.error().code)) {
        outcome_ = std::move(came);
        failures_.clear();
        return true;
    }
    failures_.push_back(std::move(came.error()));
    if (screen_->used) {
        sink_.restart();
    }
    return false;
}

result<model_response> fallback_attempts::outcome() && {
    if (failures_.empty()) {
        return std::move(outcome_);
    }
    const std::size_t best = most_hopeful(failures_);
    std::string all;
    for (std::size_t i = 0; failures_.size() > 1 && i < failures_.size(); ++i) {
        all += (i == 0 ? "provider " : "; provider ") + std::to_string(i + 1) + ": " + std::string(to_string(failures_[i].code)) + ": " +
               detail::one_line(failures_[i].message, 400);
    }
    failure chosen = std::move(failures_[best]);
    if (!all.empty()) {
        chosen.message = std::move(all);
    }
    return chosen;
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
