#include "python/interpreter/interpreter_thread.hpp"

#include "python/interpreter/interpreter_slot.hpp"

#include <chrono>
#include <csignal>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

using namespace std::chrono_literals;

// How long `stop` waits for Python's thread.
constexpr auto stop_wait = 800ms;
constexpr auto stop_wait_idle = 5s;  // only to finalize Python, which can take long on a busy machine
constexpr auto stop_wait_overdue = 100ms;

}  // namespace

result<std::shared_ptr<interpreter_thread>> interpreter_thread::start(const interpreter_options& options) {
    if (result<void> taken = interpreter_slot::take(); !taken) {
        return taken.error();
    }
    if (Py_IsInitialized() != 0) {
        interpreter_slot::free();
        return failure{.code = errc::invalid_state,
                       .message = "Python has already been initialized outside of this SDK",
                       .hint = "Use that interpreter: `interpreter::adopt`."};
    }
    auto self = std::make_shared<interpreter_thread>();
    if (options.background_output) {
        self->output().observe_background(options.background_output);
    }
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
        interpreter_slot::free();
        return outcome.error();
    }
    return self;
}

void interpreter_thread::serve(const interpreter_options& options, std::promise<result<void>> started) {
    result<void> outcome = runtime_.start(options, ends_);
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
        task deliver = queue_.begin(next) ? next->item.run() : task();
        state = PyEval_SaveThread();
        queue_.finish(next, std::move(deliver));
    }
    if (end_state expected = end_state::running; !end_state_.compare_exchange_strong(expected, end_state::ending)) {
        return;  // the program may be exiting: Python is left as it is
    }
    {
        std::unique_lock lock(nudge_mutex_);
        nudge_ended_.wait(lock, [this] { return nudges_ == 0; });  // no thread may request the GIL while Python finalizes
    }
    PyEval_RestoreThread(state);
    release_all();
    interrupter_.detach();
    Py_FinalizeEx();
    interpreter_slot::free();
    ended_.set_value();
}

bool interpreter_thread::activate(PyObject* /*module*/, PyObject* main) {
    return static_cast<bool>(runtime_.call("activate", main));
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
            std::thread([self = std::static_pointer_cast<interpreter_thread>(shared_from_this()), done] {
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
        if (end_state expected = end_state::running; end_state_.compare_exchange_strong(expected, end_state::left)) {
            interpreter_slot::leave();
        }
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

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
