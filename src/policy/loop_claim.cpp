#include "policy/loop_claim.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

thread_local loop_claim* innermost_claim = nullptr;

}  // namespace

loop_claim::loop_claim(std::shared_ptr<event_loop> loop) noexcept : loop_(std::move(loop)), outer_(std::exchange(innermost_claim, this)) {}

loop_claim::~loop_claim() {
    innermost_claim = outer_;
    release();
}

void loop_claim::release() noexcept {
    if (std::exchange(held_, false)) {
        loop_->release();
    }
}

void loop_claim::release_all() noexcept {
    for (loop_claim* at = innermost_claim; at != nullptr; at = at->outer_) {
        at->release();
    }
}

/// Returns the claim by which this thread has the loop, or null.
loop_claim* loop_claim::holder() noexcept {
    loop_claim* at = this;
    while (at != nullptr && !(at->held_ && at->loop_ == loop_)) {
        at = at->outer_;
    }
    return at;
}

bool loop_claim::hold() {
    if (loop_ == nullptr || holder() != nullptr) {
        return loop_ != nullptr;
    }
    held_ = loop_->claim();
    return held_;
}

void loop_claim::run(duration span) {
    loop_claim* const held_by = holder();
    if (held_by != nullptr && !loop_->run(span)) {
        held_by->held_ = false;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
