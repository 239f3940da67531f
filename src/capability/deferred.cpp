#include <pyaichat/capability/deferred.hpp>

#include <condition_variable>
#include <deque>
#include <optional>
#include <string>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Forwards the reply of a source to the run. If a responder is dropped while the source runs, the relay waits for the end of the call: a
/// responder that is dropped by an exception replies `abandoned`, but the error is the exception.
class relay {
public:
    explicit relay(capability_responder out) : out_(std::move(out)) {}

    void reply(capability_reply reply) {
        std::unique_lock lock(mutex_);
        if (running_ && reply.code == reply_code::abandoned) {
            dropped_ = std::move(reply);
        } else {
            forward(std::move(lock), std::move(reply));
        }
    }
    void output(std::string_view text) {
        const std::lock_guard lock(mutex_);
        out_.output(text);
    }
    /// Call it when the source has returned, or with the reply for the exception that it threw.
    void returned(std::optional<capability_reply> error) {
        std::unique_lock lock(mutex_);
        running_ = false;
        if (error || dropped_) {
            forward(std::move(lock), std::move(error ? *error : *dropped_));
        }
    }

private:
    void forward(std::unique_lock<std::mutex> lock, capability_reply reply) {
        capability_responder out = std::move(out_);
        lock.unlock();
        if (out) {
            out(std::move(reply));
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
        next.responder(reply_error(reply_code::cancelled, "the run stopped waiting while the call was queued; the call was not run"));
        return;
    }
    const auto forwarder = std::make_shared<relay>(std::move(next.responder));
    capability_responder responder([forwarder](capability_reply reply) { forwarder->reply(std::move(reply)); },
                                   [forwarder](std::string_view text) { forwarder->output(text); });
    std::optional<capability_reply> error;
    guarded(
        [&] { run(next.call, std::move(responder)); },
        [&](std::string_view what) { error = reply_error(reply_code::internal, "`" + next.call.name + "` failed: " + std::string(what)); });
    forwarder->returned(std::move(error));
}

}  // namespace

struct call_queue::state {
    explicit state(body function) : run(std::move(function)) {}

    body run;
    std::mutex mutex;
    std::condition_variable idle;
    std::deque<queued_call> calls;
    bool scheduled = false;  // a `drain` is waiting or running
    bool running = false;
};

/// The task for the executor. If it is destroyed without being run, it drops the queued calls, which then reply `abandoned`.
class call_queue::drain {
public:
    explicit drain(std::shared_ptr<state> queue) : queue_(std::move(queue)) {}
    drain(drain&&) noexcept = default;
    drain& operator=(drain&&) = delete;
    ~drain() {
        if (queue_) {
            std::deque<queued_call> dropped;
            const std::lock_guard lock(queue_->mutex);
            queue_->scheduled = false;
            dropped.swap(queue_->calls);
        }
    }

    void operator()() {
        const std::shared_ptr<state> queue = std::exchange(queue_, nullptr);
        std::unique_lock lock(queue->mutex);
        while (!queue->calls.empty()) {
            queued_call next = std::move(queue->calls.front());
            queue->calls.pop_front();
            queue->running = true;
            lock.unlock();
            run_call(std::move(next), queue->run);
            lock.lock();
            queue->running = false;
            queue->idle.notify_all();
        }
        queue->scheduled = false;
    }

private:
    std::shared_ptr<state> queue_;
};

call_queue::call_queue(body run) : state_(std::make_shared<state>(std::move(run))) {}

task call_queue::add(capability_call call, capability_responder responder) {
    const std::lock_guard lock(state_->mutex);
    state_->calls.push_back({std::move(call), std::move(responder)});
    if (std::exchange(state_->scheduled, true)) {
        return {};
    }
    return drain(state_);
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
