#include "python/interpreter/work_queue.hpp"

#include <pyaichat/core/result.hpp>
#include <pyaichat/core/time.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

work::time_point deadline_in(duration span) {
    const auto now = work::clock::now();
    return now + std::min<duration>(span, work::time_point::max() - now);
}

void work_queue::push(work item) {
    const auto added = std::make_shared<entry>(entry{.item = std::move(item)});
    std::optional<refusal> refused;
    {
        const lock guard(mutex_);
        const auto now = work::clock::now();
        if (closed_) {
            refused = refusal{.what = refusal::kind::gone, .why = "Python has ended"};
        } else if (running_ && running_->item.overdue(now) && !added->item.without_python) {
            refused = refusal{.what = refusal::kind::busy, .why = describe_running(now)};
        } else if (added->item.deadline <= now) {
            refused = refusal{.what = refusal::kind::timeout, .why = "there was no time left to start it"};
        } else {
            added->patience_ends = end_of_patience(added->item, now);
            waiting_.push_back(added);
        }
    }
    if (refused) {
        added->item.refuse(*refused);
        return;
    }
    worker_wakes_.notify_one();
    timer_wakes_.notify_one();
    if (options_.added) {
        options_.added();
    }
}

std::shared_ptr<work_queue::entry> work_queue::take() {
    lock guard(mutex_);
    for (;;) {
        worker_wakes_.wait(guard, [this] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) {
            return nullptr;
        }
        if (auto taken = next(guard)) {
            return taken;
        }
    }
}

std::shared_ptr<work_queue::entry> work_queue::try_take() {
    lock guard(mutex_);
    return next(guard);
}

bool work_queue::wait_for_work() {
    lock guard(mutex_);
    worker_wakes_.wait(guard, [this] { return closed_ || !waiting_.empty(); });
    return !closed_;
}

bool work_queue::has_work() const {
    const lock guard(mutex_);
    return !waiting_.empty();
}

void work_queue::refuse_next(std::string why) {
    lock guard(mutex_);
    if (waiting_.empty()) {
        return;
    }
    const auto refused = std::move(waiting_.front());
    waiting_.pop_front();
    refused->answered = true;
    guard.unlock();
    refuse(refused, {.what = refusal::kind::gone, .why = std::move(why)});
}

std::shared_ptr<work_queue::entry> work_queue::next(lock& guard) {
    while (!waiting_.empty() && !running_) {
        auto next = std::move(waiting_.front());
        waiting_.pop_front();
        if (!next->item.cancel.stop_requested()) {
            next->started = work::clock::now();
            running_ = next;
            return next;
        }
        next->answered = true;
        guard.unlock();
        refuse(next, {.what = refusal::kind::cancelled, .why = "it was cancelled before it started"});
        next.reset();  // its destructors are the host's, so not under the lock
        guard.lock();
    }
    return nullptr;
}

bool work_queue::begin(const std::shared_ptr<entry>& next) {
    const lock guard(mutex_);
    next->begun = !next->answered;
    return next->begun;
}

work::time_point work_queue::end_of_patience(const work& item, work::time_point now) const {
    if (!item.without_python) {
        return work::time_point::max();
    }
    if (running_ && (running_->item.overdue(now) || now - running_->started >= options_.patience)) {
        return now;
    }
    return now + std::min<duration>(options_.patience, (item.deadline - now) / 2);
}

std::shared_ptr<work_queue::entry> work_queue::take_impatient(work::time_point now, work::time_point& next) {
    if (running_ && !running_->begun && !running_->answered) {
        // Python's thread waits for the GIL. It will find the work completed.
        if (running_->patience_ends <= now) {
            running_->answered = true;
            running_->item.overran = nullptr;
            return running_;
        }
        next = std::min(next, running_->patience_ends);
    }
    for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
        if ((*each)->patience_ends <= now) {
            std::shared_ptr<entry> taken = std::move(*each);
            waiting_.erase(each);
            taken->answered = true;
            return taken;
        }
        next = std::min(next, (*each)->patience_ends);
    }
    return nullptr;
}

void work_queue::finish(std::shared_ptr<entry> done, task deliver) {
    {
        const lock guard(mutex_);
        running_.reset();
        if (done->answered) {
            deliver = nullptr;
        }
        done->answered = true;
    }
    if (deliver) {
        guarded([&] { deliver(); }, [](std::string_view) {});  // an exception of the host must not end Python's thread
    }
}

std::optional<running_work> work_queue::running() const {
    const lock guard(mutex_);
    return running(work::clock::now());
}

std::optional<running_work> work_queue::running(work::time_point now) const {
    if (!running_) {
        return std::nullopt;
    }
    return running_work{.what = running_->item.what, .since = now - running_->started, .overdue = running_->item.overdue(now)};
}

void work_queue::give_up() {
    {
        const lock guard(mutex_);
        if (running_) {
            running_->item.deadline = std::min(running_->item.deadline, work::clock::now());
        }
    }
    timer_wakes_.notify_one();
}

void work_queue::close() {
    std::deque<std::shared_ptr<entry>> left;
    {
        const lock guard(mutex_);
        closed_ = true;
        left.swap(waiting_);
        for (const auto& each : left) {
            each->answered = true;
        }
    }
    worker_wakes_.notify_all();
    for (const auto& each : left) {
        refuse(each, {.what = refusal::kind::gone, .why = "Python has ended"});
    }
}

void work_queue::abandon() {
    std::shared_ptr<entry> stuck;
    {
        const lock guard(mutex_);
        timer_ends_ = true;
        if (running_ && !running_->answered) {
            running_->answered = true;
            stuck = running_;
        }
    }
    timer_wakes_.notify_all();
    if (stuck) {
        refuse(stuck, {.what = refusal::kind::gone, .why = "Python was left while this was still running"});
    }
}

void work_queue::watch() {
    lock guard(mutex_);
    while (!timer_ends_) {
        const auto now = work::clock::now();
        auto next = work::time_point::max();
        std::vector<std::pair<std::shared_ptr<entry>, refusal>> due;
        if (running_ && !running_->answered) {
            if (running_->item.deadline <= now) {
                running_->answered = true;
                due.emplace_back(running_, refusal{.what = refusal::kind::timeout,
                                                   .why = "it did not end within " + describe(now - running_->started) +
                                                          " and is still running; Python stays busy until it ends"});
            } else {
                next = running_->item.deadline;
            }
        }
        if (running_ && running_->answered && running_->item.overran) {
            const auto told = running_->item.deadline + options_.grace;  // finite: the work was refused at its deadline
            if (told <= now) {
                // Under the lock, so that the worker cannot go on to other work meanwhile.
                std::exchange(running_->item.overran, nullptr)();
            } else {
                next = std::min(next, told);
            }
        }
        std::erase_if(waiting_, [&](const std::shared_ptr<entry>& each) {
            if (each->item.deadline > now) {
                next = std::min(next, each->item.deadline);
                return false;
            }
            each->answered = true;
            due.emplace_back(each, refusal{.what = running_ ? refusal::kind::busy : refusal::kind::timeout,
                                           .why = running_ ? describe_running(now) : options_.not_started});
            return true;
        });
        if (std::shared_ptr<entry> impatient = due.empty() ? take_impatient(now, next) : nullptr) {
            const std::optional<running_work> busy_with = running_ == impatient ? std::nullopt : running(now);
            guard.unlock();
            complete_without_python(impatient, busy_with);
            impatient.reset();  // it may own the last handle of a session, whose destructor adds work
            guard.lock();
        } else if (!due.empty()) {
            guard.unlock();
            for (const auto& [refused, why] : due) {
                refuse(refused, why);
            }
            due.clear();
            guard.lock();
        } else if (next == work::time_point::max()) {
            timer_wakes_.wait(guard);
        } else {
            timer_wakes_.wait_until(guard, next);
        }
    }
}

std::string work_queue::describe_running(work::time_point now) const {
    const bool overdue = running_->item.overdue(now);
    return "Python is busy: " + running_->item.what + " has been running for " + describe(now - running_->started) +
           (overdue ? ", past its deadline; wait for it to end, or do without Python" : "");
}

void work_queue::complete_without_python(const std::shared_ptr<entry>& item, const std::optional<running_work>& running) {
    if (item->item.cancel.stop_requested()) {
        return refuse(item, {.what = refusal::kind::cancelled, .why = "it was cancelled before it started"});
    }
    guarded([&] { item->item.without_python(running); },
            [&](std::string_view what) { refuse(item, {.what = refusal::kind::gone, .why = "the host failed: " + std::string(what)}); });
}

void work_queue::refuse(const std::shared_ptr<entry>& refused, const refusal& why) {
    if (refused->item.refuse) {
        guarded([&] { refused->item.refuse(why); }, [](std::string_view) {});
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
