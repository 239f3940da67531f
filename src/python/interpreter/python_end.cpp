#include <pyaichat/python/detail/python_end.hpp>

#include "python/python_api.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto one_pause = 5ms;
constexpr auto longest_exit = 1'000ms;  ///< from the functions of `atexit` until the end shows

std::atomic<int> threads_without_gil = 0;                 ///< that will take it back
std::atomic<std::thread::id> ending = std::thread::id();  ///< the thread that is about to end Python
thread_local bool ends_python = false;

bool python_ends() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

}  // namespace

void before_release() noexcept {
    ends_python = ends_python || python_ends();  // only the thread that ends Python still has the GIL then
    ++threads_without_gil;
}

void after_return() noexcept {
    --threads_without_gil;
}

void before_request() noexcept {
    if (ends_python || ending.load() == std::this_thread::get_id()) {
        return;
    }
    // A thread that waits for the GIL at the moment in which Python begins to end is lost: near that moment it waits here.
    for (auto left = longest_exit; ending.load() != std::thread::id() && !python_ends() && left > 0ms; left -= one_pause) {
        std::this_thread::sleep_for(one_pause);
    }
    while (python_ends()) {
        std::this_thread::sleep_for(1s);
    }
}

void python_end_is_near() {
    ending = std::this_thread::get_id();
    if (threads_without_gil > 0) {
        PyThreadState* const state = PyEval_SaveThread();
        std::this_thread::sleep_for(2 * one_pause);
        PyEval_RestoreThread(state);
    }
}

void python_is_there() noexcept {
    ending = std::thread::id();
    ends_python = false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
