#include <pyaichat/agent/run.hpp>

#include "agent/driver/run_driver.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

progress wait_on(detail::run_driver& driver, duration span) {
    const instant until = after(driver.now(), std::max(span, duration::zero()));
    for (;;) {
        const progress reached = driver.pump(std::max(until - driver.now(), duration::zero()));
        const instant at = driver.now();
        if (reached == progress::done || reached == progress::awaiting_approval || at >= until) {
            return reached;
        }
        if (reached == progress::waiting) {
            driver.sleep(until - at);
        }
    }
}

/// False when the run was dropped by one of its own callbacks.
bool wait_for_reply(detail::run_driver& driver) {
    progress reached = progress::waiting;
    while (reached != progress::done && reached != progress::awaiting_approval) {
        reached = wait_on(driver, longest_wait);
    }
    return reached != progress::done || driver.done();
}

answer dropped() {
    return {.text = "The run was dropped before there was an answer.", .reason = stop_reason::cancelled};
}

}  // namespace

pumped_run::pumped_run() = default;
pumped_run::pumped_run(std::shared_ptr<detail::run_driver> driver) : driver_(std::move(driver)) {}
pumped_run::pumped_run(pumped_run&& other) noexcept : driver_(std::move(other.driver_)) {}

pumped_run& pumped_run::operator=(pumped_run&& other) noexcept {
    if (this != &other) {
        const auto before = std::exchange(driver_, std::move(other.driver_));
        if (before) {
            before->abandon();
        }
    }
    return *this;
}

pumped_run::~pumped_run() {
    if (gone_) {
        *gone_ = true;
    }
    if (driver_) {
        driver_->abandon();
    }
}

/// What `pump` says of the run that was in this handle before, if it still is: its callbacks may have put another one there, taken it out,
/// or destroyed the handle.
template <class Pump>
progress pumped_run::watch(Pump pump) {
    const auto driver = driver_;
    const auto gone = gone_ = gone_ ? gone_ : std::make_shared<bool>(false);
    const progress reached = pump(*driver);
    if (*gone || driver_ == nullptr) {
        return progress::done;
    }
    return driver_ == driver ? reached : progress::working;
}

progress pumped_run::pump(duration budget) {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run to pump");
    return driver_ ? watch([&](detail::run_driver& driver) { return driver.pump(budget); }) : progress::done;
}

void pumped_run::cancel() const {
    if (driver_) {
        driver_->cancel();
    }
}

bool pumped_run::done() const {
    return driver_ && driver_->done();
}

const answer& pumped_run::reply() const {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run");
    return driver_->reply();
}

std::vector<pending_call> pumped_run::pending() const {
    return driver_ ? driver_->pending() : std::vector<pending_call>();
}

result<void> pumped_run::resume(std::vector<call_ruling> rulings) {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run");
    return driver_->resume(std::move(rulings));
}

result<void> pumped_run::resume(std::uint64_t call, call_decision decision) {
    std::vector<call_ruling> rulings;
    rulings.push_back({.call = call, .decision = std::move(decision)});  // moved: arguments may nest too deep to be copied
    return resume(std::move(rulings));
}

json pumped_run::snapshot() const {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run");
    const auto driver = driver_;  // this handle may be gone when a callback returns
    return driver->snapshot();
}

progress run::wait_for(duration span) {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run to wait for");
    return watch([&](detail::run_driver& driver) { return wait_on(driver, span); });
}

answer run::wait() & {
    const auto driver = driver_;  // a callback may drop this handle, or destroy it
    PYAICHAT_ASSERT(driver != nullptr, "there is no run to wait for");
    return wait_for_reply(*driver) ? driver->reply() : dropped();
}

answer run::wait() && {
    const auto driver = driver_;
    PYAICHAT_ASSERT(driver != nullptr, "there is no run to wait for");
    if (!wait_for_reply(*driver)) {
        return dropped();
    }
    if (driver->done()) {
        driver_ = nullptr;  // its answer is taken out of it
    }
    return driver->take_reply();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
