#pragma once
#include <pyaichat/config/config.hpp>

/// The end of Python while other threads want the GIL. CPython up to 3.13 unwinds such a thread, which destructors of C++ do not survive;
/// later versions let it sleep until the process is gone. Threads that call these functions sleep with every version.
namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Call it with the GIL, just before releasing it for a while.
void before_release() noexcept;
/// Call it just after taking the GIL back.
void after_return() noexcept;
/// Call it just before taking the GIL, also before taking it back. Does not return if Python ends on another thread.
void before_request() noexcept;

/// Call it with the GIL, in a function of `atexit`: the calling thread is about to end Python. Lets those through that wait for the GIL.
void python_end_is_near();
/// Call it with the GIL, when Python is used for the first time since its last end.
void python_is_there() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
