#include <pyaichat/agent/detail/provider_gate.hpp>

#include "policy/loop_claim.hpp"
#include "runtime/process_id.hpp"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct provider_gate::state {
    struct call {
        cancel_source stop;
        long process = process_id();  ///< a child process does not wait for the calls of its parent
    };

    explicit state(bool closes) : can_close(closes) {}

    const bool can_close;
    std::mutex mutex;
    std::condition_variable left;
    std::list<call> inside;  // no stop_callbacks: their destructor would wait for a callback, which may wait for this call
    bool closed = false;
};

provider_gate::provider_gate(bool can_close) : state_(std::make_shared<state>(can_close)) {}

provider_gate::pass provider_gate::enter(cancel_source stop) const {
    struct visit {
        visit(std::shared_ptr<state> entered, cancel_source stop) : gate(std::move(entered)) {
            at = gate->inside.insert(gate->inside.end(), {.stop = std::move(stop)});
        }
        visit(const visit&) = delete;
        visit& operator=(const visit&) = delete;
        ~visit() {
            const std::lock_guard lock(gate->mutex);
            gate->inside.erase(at);
            gate->left.notify_all();
        }
        std::shared_ptr<state> gate;
        std::list<state::call>::iterator at;
    };
    if (!state_->can_close) {
        return state_;
    }
    const std::lock_guard lock(state_->mutex);
    return state_->closed ? nullptr : std::make_shared<const visit>(state_, std::move(stop));
}

void provider_gate::close() const {
    PYAICHAT_ASSERT(state_->can_close, "this gate counts no calls");
    std::unique_lock lock(state_->mutex);
    state_->closed = true;
    const std::vector<state::call> inside(state_->inside.begin(), state_->inside.end());
    lock.unlock();
    for (const state::call& call : inside) {
        call.stop.request_stop();  // without the lock, because its callbacks are foreign code
    }
    loop_claim::release_all();  // the calls may end in a loop that this thread should run
    lock.lock();
    state_->left.wait(lock, [&] { return std::ranges::find(state_->inside, process_id(), &state::call::process) == state_->inside.end(); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
