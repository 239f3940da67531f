#include <pyaichat/agent/detail/run_driver.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline v0::detail {

run_driver::run_driver(run_setup setup, instant now, on observers) : machine_(std::move(setup), now), observers_(std::move(observers)) {}
run_driver::~run_driver() = default;

progress run_driver::pump(duration budget) {
    PYAICHAT_ASSERT(!pumping_, "a run must not be pumped from its own callback");
    if (pumping_) {
        return progress::working;
    }
    const auto self = shared_from_this();  // the handle may be destroyed by a callback
    struct pumping {
        explicit pumping(bool& flag) : flag_(flag) { flag_ = true; }
        ~pumping() { flag_ = false; }
        bool& flag_;
    } const mark(pumping_);

    const instant from = now();
    while (!abandoned_) {
        for (machine_input& in : mailbox_->take()) {
            machine_.feed(std::move(in), now());
        }
        static_cast<void>(machine_.next(now()));  // lets deadlines take effect
        close_work();
        deliver_events();
        if (abandoned_) {
            break;
        }
        if (const progress reached = perform(); reached != progress::working) {
            return reached;
        }
        if (now() - from >= budget) {
            return progress::working;
        }
    }
    return progress::done;
}

progress run_driver::perform() {
    const machine_action& wanted = machine_.next(now());
    if (machine_.has_events()) {
        return progress::working;  // time has moved on meanwhile
    }
    if (std::holds_alternative<action::list_capabilities>(wanted)) {
        input::declarations declared;
        const std::span<const capability_spec> offered = specs();
        declared.specs.assign(offered.begin(), offered.end());
        machine_.feed(std::move(declared), now());
        return progress::working;
    }
    if (const auto* model = std::get_if<action::call_model>(&wanted)) {
        if (model->attempt == attempt_) {
            return progress::waiting;
        }
        attempt_ = model->attempt;
        call_model(*model, open_work());
        check_deadline();
        return progress::working;
    }
    if (const auto* call = std::get_if<action::invoke_capability>(&wanted)) {
        if (call->call.number == call_) {
            return progress::waiting;
        }
        start(*call);
        check_deadline();
        return progress::working;
    }
    if (std::holds_alternative<action::wait>(wanted)) {
        return progress::waiting;
    }
    done_ = true;
    mailbox_->close();
    return progress::done;
}

void run_driver::start(const action::invoke_capability& wanted) {
    const std::uint64_t number = call_ = wanted.call.number;
    capability_call call = wanted.call;
    const cancel_source stop = open_work();
    call.cancel = stop.get_token();
    capability_responder responder(
        [box = mailbox_, number](capability_reply reply) { box->post(input::call_reply{.call = number, .reply = std::move(reply)}); });
    std::optional<std::string> thrown;
    guarded([&] { invoke(call, std::move(responder)); }, [&](std::string_view what) { thrown = what; });
    if (thrown) {
        // Fed at once: unwinding has dropped the responder, and its "abandoned" comes too late now.
        machine_.feed(
            input::call_reply{.call = number, .reply = reply_error(reply_code::internal, "`" + call.name + "` failed: " + *thrown)}, now());
    }
}

/// Foreign code has held this thread. What it answered after the deadline does not count.
void run_driver::check_deadline() {
    if (const instant at = now(); at >= machine_.deadline()) {
        machine_.feed(input::woken{}, at);
    }
}

cancel_source run_driver::open_work() {
    work_ = cancel_source();
    mailbox_->opened(work_);
    return work_;
}

/// Trips the work that the machine no longer waits for.
void run_driver::close_work() {
    const machine_action& wanted = machine_.next(now());
    const auto* model = std::get_if<action::call_model>(&wanted);
    const auto* call = std::get_if<action::invoke_capability>(&wanted);
    const bool wanted_still = (model != nullptr && model->attempt == attempt_) || (call != nullptr && call->call.number == call_);
    if (!wanted_still) {
        work_.request_stop();
    }
}

void run_driver::deliver_events() {
    while (machine_.has_events() && !abandoned_) {
        for (const event& one : machine_.take_events()) {
            observers_(one);
            if (abandoned_) {
                return;
            }
        }
    }
}

void run_driver::abandon() {
    abandoned_ = true;
    mailbox_->close();
    work_.request_stop();
}

const answer& run_driver::reply() {
    PYAICHAT_ASSERT(done_, "the run is not done: pump it, or wait for it");
    return std::get<action::finished>(machine_.next(instant::min())).answer;
}

void run_driver::sleep(duration span) {
    const instant at = now();
    const instant until = machine_.deadline();
    if (until > at) {
        mailbox_->wait(std::min(span, until == instant::max() ? duration::max() : until - at));
    }
}

}  // namespace pyaichat::inline v0::detail

namespace pyaichat::inline v0 {

pumped_run::pumped_run() = default;
pumped_run::pumped_run(std::shared_ptr<detail::run_driver> driver) : driver_(std::move(driver)) {}
pumped_run::pumped_run(pumped_run&&) noexcept = default;

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
    if (driver_) {
        driver_->abandon();
    }
}

progress pumped_run::pump(duration budget) {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run to pump");
    const auto driver = driver_;  // this handle may be gone when a callback returns
    return driver ? driver->pump(budget) : progress::done;
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

progress run::wait_for(duration span) {
    PYAICHAT_ASSERT(driver_ != nullptr, "there is no run to wait for");
    const auto driver = driver_;
    const instant until = after(driver->now(), span);
    for (;;) {
        const progress reached = driver->pump(std::max(until - driver->now(), duration::zero()));
        const instant at = driver->now();
        if (reached == progress::done || reached == progress::awaiting_approval || at >= until) {
            return reached;
        }
        if (reached == progress::waiting) {
            driver->sleep(until - at);
        }
    }
}

answer run::wait() {
    while (!done()) {
        static_cast<void>(wait_for(std::chrono::hours(24)));
    }
    return reply();
}

}  // namespace pyaichat::inline v0
