#include <pyaichat/agent/detail/provider_gate.hpp>

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct provider_gate::state {
    cancel_source closing;
    std::atomic<int> inside = 0;
};

provider_gate::provider_gate() : state_(std::make_shared<state>()) {}

provider_gate::pass provider_gate::enter(cancel_source stop) const {
    ++state_->inside;  // before the look at `closing`: whoever closes waits for it
    const auto trip = [stop = std::move(stop)] { stop.request_stop(); };
    const pass inside(new cancel_callback<decltype(trip)>(state_->closing.get_token(), trip), [gate = state_](const auto* armed) {
        delete armed;
        if (--gate->inside == 0) {
            gate->inside.notify_all();
        }
    });
    return state_->closing.stop_requested() ? nullptr : inside;
}

void provider_gate::close() const {
    state_->closing.request_stop();
    for (int inside = state_->inside; inside != 0; inside = state_->inside) {
        state_->inside.wait(inside);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
