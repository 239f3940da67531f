#include <pyaichat/agent/detail/provider_gate.hpp>

#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

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

delta_sink sink_of(std::shared_ptr<mailbox> box, std::uint64_t attempt) {
    return delta_sink([box = std::move(box), attempt](delta_sink::kind what, std::string_view piece) {
        using kind = input::model_delta::kind;
        const kind as = what == delta_sink::kind::text ? kind::text : what == delta_sink::kind::thought ? kind::thought : kind::restart;
        box->post(input::model_delta{.attempt = attempt, .what = as, .text = std::string(piece)});
    });
}

model_reply reply_of(std::shared_ptr<mailbox> box, std::uint64_t attempt) {
    return model_reply([box = std::move(box), attempt](result<model_response> outcome) {
        box->post(input::model_result{.attempt = attempt, .outcome = std::move(outcome)});
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
