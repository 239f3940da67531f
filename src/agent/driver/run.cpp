#include <pyaichat/agent/run.hpp>

#include "agent/driver/run_driver.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// Returns the answer of a handle that has no run or a run without an answer.
answer no_answer(std::string text, std::string hint) {
    failure error{.code = errc::invalid_state, .message = text, .hint = std::move(hint)};
    return {.text = std::move(text), .error = std::move(error)};
}

const answer& no_run() {
    static const answer none = no_answer("There is no run.", "Keep the run that `ask` returned: this one is empty, or was moved from.");
    return none;
}

const answer& not_ended() {
    static const answer none = no_answer("The run has not ended.", "Pump the run until it is done, or wait for it.");
    return none;
}

progress wait_on(detail::run_driver& driver, duration span) {
    const instant until = after(driver.now(), std::max(span, duration::zero()));
    detail::loop_claim claim(driver.loop());
    for (;;) {
        if (driver.now() < until) {
            static_cast<void>(claim.hold());  // before the pump, so that this thread runs what the pump starts
        }
        const progress reached = driver.pump(std::max(until - driver.now(), duration::zero()));
        const instant at = driver.now();
        if (reached == progress::done || reached == progress::awaiting_approval || at >= until) {
            return reached;
        }
        if (reached == progress::waiting) {
            driver.sleep(until - at, claim);
        }
    }
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

/// Returns the result of `pump`, unless a callback has replaced or removed the run in this handle, or destroyed the handle.
template <class Pump>
progress pumped_run::watch(Pump pump) {
    const auto driver = driver_;
    if (!driver) {
        return progress::done;
    }
    const auto gone = gone_ = gone_ ? gone_ : std::make_shared<bool>(false);
    const progress reached = pump(*driver);
    if (*gone || driver_ == nullptr) {
        return progress::done;
    }
    return driver_ == driver ? reached : progress::working;
}

progress pumped_run::pump(duration budget) {
    // Nothing can replace or remove a resting run, so an idle run is not watched.
    return driver_ && driver_->is_resting() ? progress::waiting : watch([&](detail::run_driver& driver) { return driver.pump(budget); });
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
    const answer* reply = driver_ ? driver_->reply() : &no_run();
    return reply != nullptr ? *reply : not_ended();
}

std::vector<pending_call> pumped_run::pending() const {
    return driver_ ? driver_->pending() : std::vector<pending_call>();
}

result<void> pumped_run::resume(std::vector<call_ruling> rulings) {
    const auto driver = driver_;  // the journal may drop this run
    return driver ? driver->resume(std::move(rulings)) : result<void>(*no_run().error);
}

result<void> pumped_run::resume(std::uint64_t call, call_decision decision) {
    std::vector<call_ruling> rulings;
    rulings.push_back({.call = call, .decision = std::move(decision)});  // moved, because a copy of deeply nested arguments recurses
    return resume(std::move(rulings));
}

result<void> pumped_run::resume(std::uint64_t call, capability_reply reply) {
    const auto driver = driver_;  // the journal may drop this run
    return driver ? driver->resume(call, std::move(reply)) : result<void>(*no_run().error);
}

json pumped_run::snapshot() const {
    const auto driver = driver_;  // a callback may destroy this handle
    return driver ? driver->snapshot() : json();
}

progress run::wait_for(duration span) {
    return watch([&](detail::run_driver& driver) { return driver.is_inside() ? progress::working : wait_on(driver, span); });
}

answer run::wait_for_answer(bool take) {
    const auto driver = driver_;  // a callback may drop this handle, or destroy it
    if (!driver) {
        return no_run();
    }
    if (driver->is_inside()) {
        return no_answer("The run cannot be waited for in its own callback.", "Return from the callback first.");
    }
    progress reached = progress::waiting;
    while (reached != progress::done && reached != progress::awaiting_approval) {
        reached = wait_on(*driver, longest_wait);
    }
    const answer* reply = driver->reply();
    if (reply == nullptr) {
        return {.text = "The run was dropped before there was an answer.", .reason = stop_reason::cancelled};
    }
    if (!take || !driver->done()) {
        return *reply;
    }
    driver_ = nullptr;
    return driver->take_reply();
}

answer run::wait() & {
    return wait_for_answer(false);
}

answer run::wait() && {
    return wait_for_answer(true);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
