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
        progress reached = progress::working;
        if (mailbox_->take_cancel()) {
            machine_.feed(input::cancel{}, now());
        } else if (const event* happened = machine_.take_event()) {
            const instant before = now();
            observers_(*happened);
            check_deadline(before);
        } else if (std::optional<machine_input> in = mailbox_->take()) {
            // What has come counts, also when the host pumps so late that a deadline has passed meanwhile.
            machine_.feed(std::move(*in), now());
        } else {
            reached = perform();
        }
        if (reached != progress::working) {
            return reached;
        }
        if (!abandoned_ && now() - from >= budget) {
            return progress::working;
        }
    }
    return progress::done;
}

progress run_driver::perform() {
    const machine_action& wanted = machine_.next(now());
    close_work(wanted);
    if (machine_.has_events()) {
        return progress::working;  // a deadline has taken effect
    }
    if (std::holds_alternative<action::list_capabilities>(wanted)) {
        result<declarations> offered =
            guarded([&] { return declared(); },
                    [](std::string_view what) {
                        return result<declarations>(
                            failure{.code = errc::internal, .message = "a source could not say what it declares: " + std::string(what)});
                    });
        machine_.feed(input::declarations{std::move(offered)}, now());
        return progress::working;
    }
    if (const auto* model = std::get_if<action::call_model>(&wanted)) {
        if (model->attempt == attempt_) {
            return progress::waiting;
        }
        attempt_ = model->attempt;
        // A task that throws its way out of the executor is dropped, and reports that by itself.
        const instant before = now();
        guarded([&] { call_model(*model, open_work()); }, [](std::string_view) {});
        check_deadline(before);
        return progress::working;
    }
    if (const auto* call = std::get_if<action::invoke_capability>(&wanted)) {
        if (call->call.number == call_) {
            return progress::waiting;
        }
        const instant before = now();
        start(*call);
        check_deadline(before);
        return progress::working;
    }
    if (std::holds_alternative<action::wait>(wanted)) {
        return progress::waiting;
    }
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

/// Foreign code has held this thread since `before`. If a deadline has passed in that time, what it or others answered meanwhile is late.
void run_driver::check_deadline(instant before) {
    if (const instant at = now(); before < machine_.deadline() && at >= machine_.deadline()) {
        machine_.feed(input::woken{}, at);
    }
}

cancel_source run_driver::open_work() {
    work_ = cancel_source();
    mailbox_->opened(work_);
    return work_;
}

/// Trips the work that the machine no longer waits for.
void run_driver::close_work(const machine_action& wanted) {
    const auto* model = std::get_if<action::call_model>(&wanted);
    const auto* call = std::get_if<action::invoke_capability>(&wanted);
    const bool wanted_still = (model != nullptr && model->attempt == attempt_) || (call != nullptr && call->call.number == call_);
    if (!wanted_still) {
        work_.request_stop();
    }
}

void run_driver::abandon() {
    abandoned_ = true;
    mailbox_->close();
    work_.request_stop();
}

const answer& run_driver::reply() {
    PYAICHAT_ASSERT(done(), "the run is not done: pump it, or wait for it");
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
