#pragma once
#include "python/interpreter/interpreter_core.hpp"

#include <atomic>
#include <condition_variable>
#include <future>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An interpreter of the SDK, on a thread of its own.
class interpreter_thread final : public interpreter_core {
public:
    [[nodiscard]] static result<std::shared_ptr<interpreter_thread>> start(const interpreter_options& options);

    void stop() override;
    [[nodiscard]] bool is_current() const noexcept override { return thread_id_ == std::this_thread::get_id(); }
    void interrupt() noexcept override { interrupter_.interrupt(); }
    void interrupt_running() override;
    void arm() override { interrupter_.arm(); }
    void disarm() noexcept override { interrupter_.disarm(); }
    [[nodiscard]] bool activate(PyObject* module, PyObject* main) override;
    void deactivate() noexcept override {}

private:
    /// Who ends the thread: it ends Python itself, or `stop` has stopped waiting for it and Python never ends.
    enum class end_state : unsigned char { running, ending, left };

    void serve(const interpreter_options& options, std::promise<result<void>> started);

    interrupter interrupter_;
    std::thread thread_;
    std::thread timer_;
    std::mutex nudge_mutex_;
    std::condition_variable nudge_ended_;
    int nudges_ = 0;  ///< threads that request the GIL, which makes Python check its signals
    std::thread::id thread_id_;
    std::atomic<end_state> end_state_ = end_state::running;
    std::promise<void> ended_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
