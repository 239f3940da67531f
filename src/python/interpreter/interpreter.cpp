#include <pyaichat/python/interpreter.hpp>

#include "python/interpreter/interpreter_thread.hpp"

#include <pyaichat/python/adapter.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {

namespace {

using namespace std::chrono_literals;

// How long `stop` waits for Python's thread.
constexpr auto stop_wait = 800ms;
constexpr auto stop_wait_idle = 5s;  // only to finalize Python, which can take long on a busy machine
constexpr auto stop_wait_overdue = 100ms;

/// Whether the process has an interpreter. Stays set if its thread was detached.
std::atomic_flag interpreter_exists = ATOMIC_FLAG_INIT;

}  // namespace

result<std::shared_ptr<interpreter_thread>> interpreter_thread::start(const interpreter_options& options) {
    if (interpreter_exists.test_and_set()) {
        return failure{.code = errc::invalid_state,
                       .message = "this process already has a Python interpreter",
                       .hint = "Create more sessions on it instead of a second interpreter."};
    }
    if (Py_IsInitialized() != 0) {
        interpreter_exists.clear();
        return failure{.code = errc::invalid_state,
                       .message = "Python has already been initialized outside of this SDK",
                       .hint = "Start only one interpreter per process."};
    }
    auto self = std::make_shared<interpreter_thread>();
    std::promise<result<void>> started;
    std::future<result<void>> ready = started.get_future();
    result<void> outcome = guarded(
        [&]() -> result<void> {
            // The timer starts first, because it can be stopped again and a running Python cannot.
            self->timer_ = std::thread([self] { self->queue_.watch(); });
            self->thread_ =
                std::thread([self, options, started = std::move(started)]() mutable { self->serve(options, std::move(started)); });
            return {};
        },
        [](std::string_view) -> result<void> {
            return failure{.code = errc::internal, .message = "the system cannot create a thread for Python"};
        });
    self->thread_id_ = self->thread_.get_id();
    if (outcome) {
        outcome = ready.get();
    }
    if (!outcome) {
        self->queue_.close();
        self->queue_.abandon();
        for (std::thread* each : {&self->thread_, &self->timer_}) {
            if (each->joinable()) {
                each->join();
            }
        }
        interpreter_exists.clear();
        return outcome.error();
    }
    return self;
}

void interpreter_thread::serve(const interpreter_options& options, std::promise<result<void>> started) {
    result<void> outcome = runtime_.start(options, output_);
    if (outcome && !interrupter_.attach()) {
        PyErr_Clear();
        outcome = failure{.code = errc::internal, .message = "Python cannot start: its signal module does not work"};
    }
    if (!outcome) {
        if (Py_IsInitialized() != 0) {
            runtime_.release();
            Py_FinalizeEx();
        }
        started.set_value(std::move(outcome));
        return;
    }
    PyThreadState* state = PyEval_SaveThread();
    started.set_value({});
    while (const std::shared_ptr<work_queue::entry> next = queue_.take()) {
        PyEval_RestoreThread(state);
        task deliver = next->item.run();
        state = PyEval_SaveThread();
        queue_.finish(next, std::move(deliver));
    }
    {
        std::unique_lock lock(nudge_mutex_);
        nudge_ended_.wait(lock, [this] { return nudges_ == 0; });  // no thread may request the GIL while Python finalizes
    }
    PyEval_RestoreThread(state);
    for (end_hook& each : end_hooks_) {
        if (const std::shared_ptr<void> holder = each.holder.lock()) {
            each.release();
        }
    }
    end_hooks_.clear();
    runtime_.release();
    interrupter_.detach();
    Py_FinalizeEx();
    interpreter_exists.clear();
    ended_.set_value();
}

void interpreter_thread::at_end(std::weak_ptr<void> holder, task release) {
    std::erase_if(end_hooks_, [](const end_hook& each) { return each.holder.expired(); });
    end_hooks_.push_back({std::move(holder), std::move(release)});
}

void interpreter_thread::leave_if_forked(const outcome& ended) const {
    if (process_id() == own_process_) {
        return;
    }
    if (ended.ending == ending::raised && ended.exception) {
        std::fputs(ended.exception->traceback.c_str(), stderr);
    }
    leave_process(ended.ending == ending::exited ? ended.exit_status : ended.ending == ending::done ? 0 : 1);
}

void interpreter_thread::interrupt_running() {
    PyErr_SetInterruptEx(SIGINT);
    {
        const std::lock_guard lock(nudge_mutex_);
        ++nudges_;
    }
    const auto done = [](interpreter_thread& self) {
        const std::lock_guard lock(self.nudge_mutex_);
        --self.nudges_;
        self.nudge_ended_.notify_all();
    };
    guarded(
        [&] {
            std::thread([self = shared_from_this(), done] {
                PyGILState_Release(PyGILState_Ensure());
                done(*self);
            }).detach();
        },
        [&](std::string_view) { done(*this); });
}

void interpreter_thread::stop() {
    const std::optional<running_work> running = queue_.running();
    stopping_.request_stop();
    if (running && !is_current()) {
        interrupt_running();
    }
    queue_.close();
    const duration limit = !running ? stop_wait_idle : running->overdue ? stop_wait_overdue : stop_wait;
    if (is_current() || ended_.get_future().wait_for(limit) != std::future_status::ready) {
        thread_.detach();
    } else {
        thread_.join();
    }
    queue_.abandon();
    if (timer_.get_id() == std::this_thread::get_id()) {
        timer_.detach();
    } else {
        timer_.join();
    }
}

}  // namespace detail

result<interpreter> interpreter::start(interpreter_options options) {
    result<std::shared_ptr<detail::interpreter_thread>> thread = detail::interpreter_thread::start(options);
    if (!thread) {
        return thread.error();
    }
    return interpreter(std::move(*thread));
}

interpreter::interpreter(std::shared_ptr<detail::interpreter_thread> thread) : thread_(std::move(thread)) {}
interpreter::interpreter(interpreter&&) noexcept = default;

interpreter& interpreter::operator=(interpreter&& other) noexcept {
    interpreter(std::move(other)).thread_.swap(thread_);  // the temporary stops the previous one
    return *this;
}

interpreter::~interpreter() {
    if (thread_) {
        thread_->stop();
    }
}

std::string interpreter::version() const {
    return std::to_string(Py_Version >> 24) + "." + std::to_string(Py_Version >> 16 & 0xFF) + "." + std::to_string(Py_Version >> 8 & 0xFF);
}

std::optional<running_work> interpreter::running() const {
    return thread_->queue().running();
}

void interpreter::interrupt() const noexcept {
    if (thread_) {
        thread_->interrupts().interrupt();
    }
}

void interpreter::give_up() const {
    thread_->queue().give_up();
}

result<void> describe_type(const interpreter& python, std::string type_name, describe_function describe) {
    if (type_name.empty() || !describe) {
        return failure{.code = errc::invalid_argument,
                       .message = "a description of Python objects needs the name of a type and a function"};
    }
    python.thread_->host_types().add(std::move(type_name), std::move(describe));
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
