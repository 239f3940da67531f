#include <pyaichat/agent/detail/provider_gate.hpp>

#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct provider_gate::state {
    std::mutex mutex;
    std::condition_variable left;
    std::list<cancel_source> inside;  // no stop_callbacks: their destructor would wait for a callback, which may wait for this call
    bool closed = false;
};

provider_gate::provider_gate() : state_(std::make_shared<state>()) {}

provider_gate::pass provider_gate::enter(cancel_source stop) const {
    struct visit {
        visit(std::shared_ptr<state> entered, cancel_source stop) : gate(std::move(entered)) {
            at = gate->inside.insert(gate->inside.end(), std::move(stop));
        }
        visit(const visit&) = delete;
        visit& operator=(const visit&) = delete;
        ~visit() {
            const std::lock_guard lock(gate->mutex);
            gate->inside.erase(at);
            gate->left.notify_all();
        }
        std::shared_ptr<state> gate;
        std::list<cancel_source>::iterator at;
    };
    const std::lock_guard lock(state_->mutex);
    return state_->closed ? nullptr : std::make_shared<const visit>(state_, std::move(stop));
}

void provider_gate::close() const {
    std::unique_lock lock(state_->mutex);
    state_->closed = true;
    const std::vector<cancel_source> inside(state_->inside.begin(), state_->inside.end());
    lock.unlock();
    for (const cancel_source& stop : inside) {
        stop.request_stop();  // without the lock, because its callbacks are foreign code
    }
    lock.lock();
    state_->left.wait(lock, [&] { return state_->inside.empty(); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
