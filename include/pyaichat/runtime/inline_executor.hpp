#pragma once
#include <pyaichat/core/task.hpp>

namespace pyaichat::inline v0 {

/// Runs each task at once, on the thread that submits it: no threads, and no deadline while a provider blocks. For tools and tests.
class inline_executor {
public:
    void submit(task work) const { work(); }
};

}  // namespace pyaichat::inline v0
