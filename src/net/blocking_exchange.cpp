#include "net/blocking_exchange.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

void blocking_exchange::wait_block::changed() {
    arrived.notify_one();
    loop->wake();
}

bool blocking_exchange::take(std::string_view piece) {
    {
        std::unique_lock lock(to_->mutex);
        if (to_->pieces.empty() && to_->waiting == std::this_thread::get_id() && to_->loop->alone()) {
            lock.unlock();
            return (*to_->sink)(piece);
        }
        to_->pieces.append(piece);
    }
    to_->changed();
    return true;
}

void blocking_exchange::finish(result<http_response> outcome) {
    {
        const std::lock_guard lock(to_->mutex);
        to_->outcome.emplace(std::move(outcome));
    }
    to_->changed();
}

blocking_wait::blocking_wait(loop_runner& runner, std::shared_ptr<blocking_exchange::wait_block> from, bool has_thread)
    : runner_(runner),
      from_(std::move(from)),
      has_thread_(has_thread),
      claim_(runner.claim()         ? claim::own
             : runner.holds_claim() ? claim::of_caller
                                    : claim::none) {}

blocking_wait::~blocking_wait() {
    switch (claim_) {
        case claim::own: runner_.release(); break;
        case claim::of_caller: runner_.wake(); break;  // this wait may have used up a wake-up that was meant for the caller
        case claim::none: break;
    }
}

void blocking_wait::wait_once() {
    if (claim_ != claim::none) {
        if (!runner_.run(longest_wait)) {
            claim_ = claim::none;
        }
        return;
    }
    std::unique_lock lock(from_->mutex);
    const auto changed = [&] { return from_->outcome.has_value() || !from_->pieces.empty(); };
    if (has_thread_) {
        return from_->arrived.wait(lock, changed);
    }
    // The host may not drive the loop meanwhile, or the thread that did has left.
    constexpr auto patience = std::chrono::milliseconds(10);
    if (!from_->arrived.wait_for(lock, patience, changed)) {
        lock.unlock();
        claim_ = runner_.take_over() ? claim::own : claim::none;
    }
}

result<http_response> blocking_wait::wait(cancel_source& stop) {
    std::string pieces;
    for (std::optional<failure> stopped;;) {
        std::optional<result<http_response>> outcome;
        pieces.clear();
        {
            const std::lock_guard lock(from_->mutex);
            pieces.swap(from_->pieces);
            outcome.swap(from_->outcome);
        }
        if (!pieces.empty() && !stopped) {
            stopped = pass_on(pieces);
            if (stopped) {
                stop.request_stop();
            }
        }
        if (outcome) {
            return stopped ? result<http_response>(*std::move(stopped)) : *std::move(outcome);
        }
        wait_once();
    }
}

/// Returns why no more is wanted, if so.
std::optional<failure> blocking_wait::pass_on(std::string_view pieces) {
    std::optional<failure> why;
    const bool more =
        guarded([&] { return (*from_->sink)(pieces); },
                [&](std::string_view text) {
                    why = failure{.code = errc::internal, .message = "the receiver of the response failed: " + std::string(text)};
                    return false;
                });
    if (!more && !why) {
        why = failure{.code = errc::cancelled, .message = "the receiver stopped the response"};
    }
    return why;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
