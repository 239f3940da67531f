#pragma once
#include <pyaichat/core/task.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Runs each task at once, on the thread that submits it: no threads, and no deadline while a provider blocks. For tools and tests.
class inline_executor {
public:
    void submit(task work) const { work(); }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
