#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Tells a process from the children that it forks, without a system call where the system can wipe a page in the child.
class fork_mark {
public:
    fork_mark() noexcept;
    fork_mark(const fork_mark&) = delete;
    fork_mark& operator=(const fork_mark&) = delete;
    ~fork_mark();

    /// Returns whether this process is a child of the one that made the mark. Thread-safe; takes no lock.
    [[nodiscard]] bool forked() const noexcept;

private:
    volatile char* page_ = nullptr;  ///< 1 in the process that made the mark, 0 in its children; null: compare process ids
    long process_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
