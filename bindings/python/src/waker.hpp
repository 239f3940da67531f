#pragma once
#include <chrono>

namespace bindings {

/// A pipe that makes an event loop pump a run: readable after `notify`. Threads of the SDK notify it without the GIL.
class waker {
public:
    /// If the system has no descriptors left, `descriptor()` is -1.
    waker();
    ~waker();
    waker(const waker&) = delete;
    waker& operator=(const waker&) = delete;

    /// The end to read from, or -1.
    [[nodiscard]] int descriptor() const noexcept { return read_; }
    /// Thread-safe.
    void notify() const noexcept;
    /// Waits for `notify`, at most for `span`. Returns early when a signal arrives.
    void wait(std::chrono::nanoseconds span) const noexcept;
    /// Takes what `notify` has written.
    void drain() const noexcept;

private:
    int read_ = -1;
    int write_ = -1;
};

}  // namespace bindings
