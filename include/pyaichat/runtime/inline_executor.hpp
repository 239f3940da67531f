#pragma once
#include <pyaichat/core/task.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Runs each task inside `submit`, on the calling thread. Deadlines cannot interrupt a provider that blocks. For tools and tests.
class inline_executor {
public:
    void submit(task work) const { work(); }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
