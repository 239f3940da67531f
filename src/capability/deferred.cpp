#include <pyaichat/capability/deferred.hpp>

#include <condition_variable>
#include <deque>
#include <optional>
#include <string>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Between a source that runs a call and whoever waits for the reply. A responder that is dropped while an exception unwinds says
/// "abandoned", which is not the reason.
class relay {
public:
    explicit relay(capability_responder out) : out_(std::move(out)) {}

    void reply(capability_reply came) {
        std::unique_lock lock(mutex_);
        if (running_ && came.code == reply_code::abandoned) {
            dropped_ = std::move(came);
            return;
        }
        answer(std::move(lock), std::move(came));
    }
    void output(std::string_view text) {
        const std::lock_guard lock(mutex_);
        out_.output(text);
    }
    /// The source has returned, or thrown.
    void returned(std::optional<capability_reply> instead) {
        std::unique_lock lock(mutex_);
        running_ = false;
        if (!instead) {
            instead = std::move(dropped_);
        }
        if (instead) {
            answer(std::move(lock), std::move(*instead));
        }
    }

private:
    void answer(std::unique_lock<std::mutex> lock, capability_reply with) {
        capability_responder out = std::move(out_);
        lock.unlock();
        if (out) {
            out(std::move(with));
        }
    }

    std::mutex mutex_;
    capability_responder out_;
    std::optional<capability_reply> dropped_;
    bool running_ = true;
};

struct queued_call {
    capability_call call = {};
    capability_responder responder = {};
};

void run_call(queued_call next, call_queue::body& run) {
    if (next.call.cancel.stop_requested()) {
        next.responder(reply_error(reply_code::cancelled, "nobody waited for it any more when its turn came; it has not run"));
        return;
    }
    const auto between = std::make_shared<relay>(std::move(next.responder));
    capability_responder responder([between](capability_reply came) { between->reply(std::move(came)); },
                                   [between](std::string_view text) { between->output(text); });
    std::optional<capability_reply> instead;
    guarded([&] { run(next.call, std::move(responder)); },
            [&](std::string_view what) {
                instead = reply_error(reply_code::internal, "`" + next.call.name + "` failed: " + std::string(what));
            });
    between->returned(std::move(instead));
}

}  // namespace

struct call_queue::state {
    std::mutex mutex;
    std::condition_variable idle;
    std::deque<queued_call> calls;
    bool scheduled = false;  // there is work for the executor, waiting or running
    bool running = false;
};

/// The work that an executor is given. Destroyed unrun it takes the calls with it, which then reply "abandoned".
class call_queue::drain {
public:
    drain(std::shared_ptr<call_queue> queue, body& run) : queue_(std::move(queue)), run_(&run) {}
    drain(drain&&) noexcept = default;
    drain& operator=(drain&&) = delete;
    ~drain() {
        if (queue_) {
            state& shared = *queue_->state_;
            std::deque<queued_call> dropped;
            const std::lock_guard lock(shared.mutex);
            shared.scheduled = false;
            dropped.swap(shared.calls);
        }
    }

    void operator()() {
        const std::shared_ptr<call_queue> queue = std::exchange(queue_, nullptr);
        state& shared = *queue->state_;
        std::unique_lock lock(shared.mutex);
        while (!shared.calls.empty()) {
            queued_call next = std::move(shared.calls.front());
            shared.calls.pop_front();
            shared.running = true;
            lock.unlock();
            run_call(std::move(next), *run_);
            lock.lock();
            shared.running = false;
            shared.idle.notify_all();
        }
        shared.scheduled = false;
    }

private:
    std::shared_ptr<call_queue> queue_;
    body* run_;  // there as long as a call is queued or running: `close` comes before its end
};

call_queue::call_queue() : state_(std::make_unique<state>()) {}
call_queue::~call_queue() = default;

task call_queue::add(capability_call call, capability_responder responder, body& run) {
    const std::lock_guard lock(state_->mutex);
    state_->calls.push_back({std::move(call), std::move(responder)});
    if (std::exchange(state_->scheduled, true)) {
        return {};
    }
    return drain(shared_from_this(), run);
}

void call_queue::close() {
    std::deque<queued_call> dropped;
    std::unique_lock lock(state_->mutex);
    dropped.swap(state_->calls);
    state_->idle.wait(lock, [&] { return !state_->running; });
    lock.unlock();  // before the dropped responders reply
}

void thread_each::submit(task work) {
    std::thread(std::move(work)).detach();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
