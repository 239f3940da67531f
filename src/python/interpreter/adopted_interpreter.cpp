#include "python/interpreter/adopted_interpreter.hpp"

#include "python/interpreter/audit_guard.hpp"
#include "python/interpreter/gil.hpp"
#include "python/interpreter/interpreter_slot.hpp"
#include "python/interpreter/python_version.hpp"

#include <pyaichat/python/detail/python_end.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <future>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_stop = 1s;
/// How long calls wait for a host that runs the work itself, before they are answered from memory.
constexpr auto host_patience = 1s;
constexpr const char* adopted_capsule_name = "pyaichat.adopted_interpreter";

/// The function for Python's `atexit`. It does not keep the interpreter alive.
PyObject* at_python_exit(PyObject* self, PyObject* /*arguments*/) {
    const auto* weak = static_cast<std::weak_ptr<adopted_interpreter>*>(PyCapsule_GetPointer(self, adopted_capsule_name));
    if (weak == nullptr) {
        return nullptr;
    }
    if (const std::shared_ptr<adopted_interpreter> adopted = weak->lock()) {
        adopted->python_ends();
    }
    python_end_is_near();
    Py_RETURN_NONE;
}

PyMethodDef exit_definition = {"end_of_pyaichat", &at_python_exit, METH_NOARGS, nullptr};

ref make_exit_function(std::weak_ptr<adopted_interpreter> adopted) {
    auto weak = std::make_unique<std::weak_ptr<adopted_interpreter>>(std::move(adopted));
    const ref capsule = ref::steal(PyCapsule_New(weak.get(), adopted_capsule_name, [](PyObject* self) {
        delete static_cast<std::weak_ptr<adopted_interpreter>*>(PyCapsule_GetPointer(self, adopted_capsule_name));
    }));
    if (!capsule) {
        return {};
    }
    [[maybe_unused]] const auto* taken = weak.release();  // the capsule owns it now
    return ref::steal(PyCFunction_New(&exit_definition, capsule.get()));
}

/// Calls a function of the `atexit` module.
bool call_atexit(const char* function, PyObject* argument) {
    const ref module = ref::steal(PyImport_ImportModule("atexit"));
    return module && ref::steal(PyObject_CallMethod(module.get(), function, "O", argument));
}

bool in_sub_interpreter() {
    PyThreadState* state = current_thread_state();
    return state != nullptr && PyThreadState_GetInterpreter(state) != PyInterpreterState_Main();
}

std::string why_not_started(const adopt_options& options) {
    return options.pumped ? "the host did not call `run_pending` in time"
           : options.post ? "the host did not run the posted task in time"
                          : "Python's GIL was not released in time: another thread of the host holds it";
}

}  // namespace

result<std::shared_ptr<adopted_interpreter>> adopted_interpreter::adopt(adopt_options options) {
    if (options.pumped && options.post) {
        return failure{.code = errc::invalid_argument,
                       .message = "`adopt_options` has both `pumped` and `post`",
                       .hint = "Set one of them, or none: then work runs on a thread of the SDK."};
    }
    if (Py_IsInitialized() == 0) {
        return failure{.code = errc::invalid_state,
                       .message = "Python is not initialized in this process",
                       .hint = "Initialize Python before `adopt`, or let the SDK start it: `interpreter::start`."};
    }
    if (result<void> version = check_python_version(static_cast<std::uint32_t>(Py_Version), PY_VERSION_HEX); !version) {
        return version.error();
    }
    const failure refused = {.code = errc::invalid_state,
                             .message = "a Python sub-interpreter cannot be adopted: PyGILState works only for the main interpreter",
                             .hint = "Call `adopt` on a thread of the main interpreter."};
    if (in_sub_interpreter()) {
        return refused;
    }
    if (result<void> taken = interpreter_slot::take(); !taken) {
        return taken.error();
    }
    work_queue::options queue_options;
    queue_options.not_started = why_not_started(options);
    if (options.pumped || options.post) {
        queue_options.patience = host_patience;
    }
    const bool posted = static_cast<bool>(options.post);
    // `added` needs the object that owns the queue, which does not exist yet.
    auto owner = std::make_shared<std::weak_ptr<adopted_interpreter>>();
    if (posted) {
        queue_options.added = [owner] {
            if (const auto self = owner->lock()) {
                self->post_task(&adopted_interpreter::run_posted, true);
            }
        };
    }
    auto self = std::make_shared<adopted_interpreter>(std::move(options), std::move(queue_options));
    *owner = self;
    result<void> attached = [&]() -> result<void> {
        const gil_hold gil;
        return PyThreadState_GetInterpreter(PyThreadState_Get()) == PyInterpreterState_Main() ? self->attach() : result<void>(refused);
    }();
    if (attached) {
        attached = self->start_threads();
    }
    if (!attached) {
        self->let_go_with_gil();
        interpreter_slot::free();
        return attached.error();
    }
    return self;
}

adopted_interpreter::adopted_interpreter(adopt_options options, work_queue::options queue_options)
    : interpreter_core(std::move(queue_options)), options_(std::move(options)) {}

result<void> adopted_interpreter::attach() {
    attached_ = true;
    python_is_there();
    if (!has_audit_hook() && !install_audit_hook()) {
        PyErr_Clear();
        return failure{.code = errc::internal, .message = "an audit hook of the host refuses the one of the SDK"};
    }
    if (result<void> loaded = runtime_.adopt(ends_); !loaded) {
        return loaded;
    }
    exit_function_ = make_exit_function(std::static_pointer_cast<adopted_interpreter>(shared_from_this()));
    if (!exit_function_ || !call_atexit("register", exit_function_.get())) {
        PyErr_Clear();
        return failure{.code = errc::internal, .message = "Python's `atexit` module does not work"};
    }
    return {};
}

result<void> adopted_interpreter::start_threads() {
    const auto self = std::static_pointer_cast<adopted_interpreter>(shared_from_this());
    result<void> started = guarded(
        [&]() -> result<void> {
            timer_ = std::thread([self] { self->queue_.watch(); });
            if (runs_on_own_thread()) {
                serving_ = true;
                thread_ = std::thread([self] { self->serve(); });
            }
            return {};
        },
        [](std::string_view) -> result<void> {
            return failure{.code = errc::internal, .message = "the system cannot create a thread for Python"};
        });
    if (!started) {
        queue_.close();
        queue_.abandon();
        if (timer_.joinable()) {
            timer_.join();
        }
    }
    return started;
}

void adopted_interpreter::serve() {
    // Keeps one thread state from piece to piece, so that `threading.local` and the event loop of the thread stay.
    PyThreadState* state = nullptr;
    PyGILState_STATE before = PyGILState_UNLOCKED;
    while (queue_.wait_for_work() && enter()) {
        if (state == nullptr) {
            before_request();
            before = PyGILState_Ensure();
            state = PyEval_SaveThread();
        }
        run_one();
        exit();
    }
    if (enter()) {
        if (state != nullptr) {
            PyEval_RestoreThread(state);
            let_go();
            PyGILState_Release(before);
        } else {
            let_go_with_gil();
        }
        exit();
    }
    const std::lock_guard lock(mutex_);
    serving_ = false;
    if (stopped_) {
        interpreter_slot::free();
    }
    changed_.notify_all();
}

bool adopted_interpreter::run_one() {
    if (!queue_.has_work() || in_sub_interpreter() || !enter()) {
        return false;
    }
    std::shared_ptr<work_queue::entry> next;
    task deliver;
    {
        const gil_hold gil;
        next = queue_.try_take();
        if (next) {
            own_process_ = process_id();
            working_thread_.store(std::this_thread::get_id());
            deliver = queue_.begin(next) ? next->item.run() : task();
            working_thread_.store({});
        }
    }
    exit();
    if (!next) {
        return false;
    }
    {
        const gil_pause without_gil;
        queue_.finish(next, std::move(deliver));
        next.reset();
    }
    bool left_behind = false;
    {
        const std::lock_guard lock(mutex_);
        left_behind = stopped_ && !serving_;
    }
    if (left_behind) {  // `stop` did not wait for this piece
        let_go_with_gil();
        interpreter_slot::free();
    }
    return true;
}

void adopted_interpreter::run_posted() {
    std::unique_lock lock(mutex_);
    ++posted_;
    if (std::exchange(runs_posted_, true)) {
        return;
    }
    while (posted_ != 0) {
        --posted_;
        lock.unlock();
        run_one();
        lock.lock();
    }
    runs_posted_ = false;
}

void adopted_interpreter::post_task(void (adopted_interpreter::*body)(), bool refuses_if_dropped) {
    /// Refuses one piece of work if the host destroys the task without running it.
    struct posted {
        posted(std::shared_ptr<adopted_interpreter> owner, bool refuses_work) : self(std::move(owner)), refuses(refuses_work) {}
        posted(const posted&) = delete;
        posted& operator=(const posted&) = delete;
        std::shared_ptr<adopted_interpreter> self;
        bool refuses;
        ~posted() {
            if (refuses) {
                self->queue_.refuse_next("the host destroyed the posted task without running it");
            }
        }
    };
    const gil_pause without_gil;
    guarded(
        [&] {
            auto piece = std::make_shared<posted>(std::static_pointer_cast<adopted_interpreter>(shared_from_this()), refuses_if_dropped);
            options_.post(task([piece = std::move(piece), body] {
                piece->refuses = false;
                (*piece->self.*body)();
            }));
        },
        [](std::string_view) {});  // the task is destroyed, which refuses the work
}

std::size_t adopted_interpreter::run_pending(duration budget) {
    if (!options_.pumped || is_current()) {
        return 0;
    }
    PYAICHAT_ASSERT(std::this_thread::get_id() == adopting_thread_, "run_pending must be called on the thread that adopted Python");
    const work::time_point until = deadline_in(budget);
    std::size_t pieces = 0;
    while (run_one()) {
        ++pieces;
        if (work::clock::now() >= until) {
            break;
        }
    }
    return pieces;
}

void adopted_interpreter::run_here_until(const std::function<bool()>& done) {
    if (options_.pumped && std::this_thread::get_id() == adopting_thread_) {
        while (!done() && run_one()) {
        }
    }
}

bool adopted_interpreter::activate(PyObject* module, PyObject* /*main*/) {
    return streams_.route(runtime_, module);
}

bool adopted_interpreter::takes_interrupt() {
    if (PyErr_CheckSignals() == 0) {
        return false;
    }
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) {
        PyErr_WriteUnraisable(nullptr);
        return false;
    }
    PyErr_Clear();
    PyErr_SetInterruptEx(SIGINT);  // its handler runs again when the host's code goes on
    return true;
}

void adopted_interpreter::arm() {
    python_thread_ = PyThread_get_thread_ident();
    armed_ = true;
}

void adopted_interpreter::disarm() noexcept {
    armed_ = false;
    if (std::exchange(interrupted_, false)) {
        PyThreadState_SetAsyncExc(python_thread_, nullptr);
    }
}

void adopted_interpreter::raise_interrupt() {
    if (armed_) {
        PyThreadState_SetAsyncExc(python_thread_, PyExc_KeyboardInterrupt);
        interrupted_ = true;
    }
}

void adopted_interpreter::interrupt_running() {
    if (!enter()) {
        return;
    }
    const auto self = std::static_pointer_cast<adopted_interpreter>(shared_from_this());
    guarded(
        [&] {
            std::thread([self] {
                {
                    const gil_hold gil;
                    self->raise_interrupt();
                }
                self->exit();
            }).detach();
        },
        [&](std::string_view) { exit(); });
}

bool adopted_interpreter::enter() {
    const std::lock_guard lock(mutex_);
    inside_ += ended_ ? 0 : 1;
    return !ended_;
}

void adopted_interpreter::exit() {
    const std::lock_guard lock(mutex_);
    --inside_;
    changed_.notify_all();
}

bool adopted_interpreter::wait_for_others(duration limit) {
    const gil_pause without_gil;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [this] { return inside_ == 0 && !serving_; });
}

bool adopted_interpreter::gil_is_free(duration limit) {
    if (current_thread_state() != nullptr) {
        return true;
    }
    auto acquired = std::make_shared<std::promise<void>>();
    std::future<void> ready = acquired->get_future();
    return enter() && guarded(
                          [&] {
                              std::thread([self = std::static_pointer_cast<adopted_interpreter>(shared_from_this()), acquired] {
                                  PyGILState_Release(PyGILState_Ensure());
                                  self->exit();
                                  acquired->set_value();
                              }).detach();
                              return ready.wait_for(limit) == std::future_status::ready;
                          },
                          [&](std::string_view) {
                              exit();
                              return false;
                          });
}

void adopted_interpreter::let_go() {
    if (!std::exchange(attached_, false)) {
        return;
    }
    if (exit_function_ && !call_atexit("unregister", exit_function_.get())) {
        PyErr_Clear();
    }
    exit_function_ = ref();
    release_all();
}

void adopted_interpreter::let_go_with_gil() {
    if (enter()) {
        {
            const gil_hold gil;
            let_go();
        }
        exit();
    }
}

void adopted_interpreter::stop() {
    const auto begin = work::clock::now();
    const bool inside_work = is_current();
    stopping_.request_stop();
    if (queue_.running() && !inside_work) {
        interrupt_running();
    }
    queue_.close();
    if (!inside_work) {
        static_cast<void>(wait_for_others(longest_stop));
    }
    bool alone = false;
    {
        const std::lock_guard lock(mutex_);
        alone = inside_ == 0 && !serving_;
        stopped_ = true;  // from here on, the piece of work that is left frees the slot
        if (!alone) {
            interpreter_slot::leave();
        }
    }
    if (thread_.joinable()) {
        alone ? thread_.join() : thread_.detach();
    }
    if (alone) {
        const duration left = longest_stop - (work::clock::now() - begin);
        if (options_.post) {
            post_task(&adopted_interpreter::let_go_with_gil, false);
        } else if (options_.pumped && gil_is_free(std::max<duration>(left, duration::zero()))) {
            let_go_with_gil();
        }
        interpreter_slot::free();
    }
    queue_.abandon();
    if (timer_.get_id() == std::this_thread::get_id()) {
        timer_.detach();
    } else {
        const gil_pause without_gil;
        timer_.join();
    }
}

void adopted_interpreter::python_ends() {
    if (process_id() != own_process_) {
        return;  // a forked child, which has no threads of the parent
    }
    queue_.close();
    raise_interrupt();
    const bool alone = wait_for_others(longest_stop);
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    if (alone) {
        let_go();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
