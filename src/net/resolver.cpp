#include "net/resolver.hpp"

#include "net/system.hpp"

#include <condition_variable>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

struct resolver::pending {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<result<addresses>> found;
};

resolver::resolver(lookup look_up) : look_up_(std::move(look_up)) {}

result<std::shared_ptr<resolver::pending>> resolver::start(const std::string& host) {
    const std::lock_guard lock(table_->mutex);
    if (const auto running = table_->running.find(host); running != table_->running.end()) {
        return running->second;
    }
    auto state = std::make_shared<pending>();
    // The thread owns copies because it may outlive this resolver.
    result<std::thread> thread = start_quiet_thread([state, host, look_up = look_up_, table = table_] {
        result<addresses> found = look_up(host);
        {
            const std::lock_guard table_lock(table->mutex);
            table->running.erase(host);
        }
        const std::lock_guard state_lock(state->mutex);
        state->found.emplace(std::move(found));
        state->changed.notify_all();
    });
    if (!thread) {
        return thread.error();
    }
    thread->detach();
    table_->running.emplace(host, state);
    return state;
}

result<resolver::addresses> resolver::resolve(const std::string& host, std::chrono::steady_clock::time_point deadline,
                                              const cancel_token& cancel) {
    result<std::shared_ptr<pending>> started = start(host);
    if (!started) {
        return started.error();
    }
    const std::shared_ptr<pending>& state = *started;
    const std::stop_callback wake(cancel, [state] {
        const std::lock_guard lock(state->mutex);
        state->changed.notify_all();
    });
    std::unique_lock lock(state->mutex);
    state->changed.wait_until(lock, deadline, [&] { return state->found.has_value() || cancel.stop_requested(); });
    const std::optional<result<addresses>> found = state->found;
    lock.unlock();  // the destructor of `wake` may wait for its callback, which locks this mutex
    if (cancel.stop_requested()) {
        return failure{.code = errc::cancelled, .message = "cancelled while the name " + host + " was being resolved"};
    }
    if (!found) {
        return failure{.code = errc::timeout,
                       .message = "the name " + host + " was not resolved in time",
                       .hint = "The service did not answer in time (its name could not be resolved)."};
    }
    return *found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
