#include <pyaichat/agent/detail/provider_gate.hpp>

#include <vector>

namespace pyaichat::inline v0::detail {

provider_gate::pass::~pass() {
    if (gate_ != nullptr) {
        const std::lock_guard lock(gate_->mutex_);
        gate_->inside_.erase(at_);
        gate_->left_.notify_all();  // under the lock: whoever waits may destroy what is behind the gate as soon as it has it
    }
}

provider_gate::pass provider_gate::enter(cancel_source stop) {
    const std::lock_guard lock(mutex_);
    if (closed_) {
        return pass();
    }
    return pass(this, inside_.insert(inside_.end(), std::move(stop)));
}

void provider_gate::close() {
    std::vector<cancel_source> inside;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        inside.assign(inside_.begin(), inside_.end());
    }
    for (cancel_source& one : inside) {
        one.request_stop();
    }
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return inside_.empty(); });
}

attempt_reply::~attempt_reply() {
    if (box_) {
        (*this)(failure{.code = errc::invalid_state,
                        .message = "the executor dropped the model call",
                        .hint = "The agent, or what runs its work, is gone, so the model could not be asked."});
    }
}

void attempt_reply::operator()(result<model_response> outcome) {
    std::exchange(box_, nullptr)->post(input::model_result{.attempt = attempt_, .outcome = std::move(outcome)});
}

delta_sink attempt_reply::sink() const {
    return delta_sink([box = box_, attempt = attempt_](delta_sink::kind what, std::string_view piece) {
        using kind = input::model_delta::kind;
        const kind as = what == delta_sink::kind::text ? kind::text : what == delta_sink::kind::thought ? kind::thought : kind::restart;
        box->post(input::model_delta{.attempt = attempt, .what = as, .text = std::string(piece)});
    });
}

}  // namespace pyaichat::inline v0::detail
