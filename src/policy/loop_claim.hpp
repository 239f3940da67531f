#pragma once
#include <pyaichat/policy/event_loop.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The claim of a waiting thread on the loop of a transport. Claims of one thread nest: if a callback of a wait waits for something else,
/// it runs the loop by the claim of the outer wait. Belongs to one thread.
class loop_claim {
public:
    /// Claims nothing yet. `loop` may be null.
    explicit loop_claim(std::shared_ptr<event_loop> loop) noexcept;
    loop_claim(const loop_claim&) = delete;
    loop_claim& operator=(const loop_claim&) = delete;
    ~loop_claim();

    /// Claims the loop, unless this thread has it. Returns whether this thread may run it.
    [[nodiscard]] bool hold();
    /// Runs the loop, after `hold` has returned true. Returns when it is woken, after `span`, or when the claim is lost.
    void run(duration span);
    [[nodiscard]] const std::shared_ptr<event_loop>& loop() const noexcept { return loop_; }

    /// Releases all loops that this thread has, before it blocks in another way. The next `hold` claims its loop again.
    static void release_all() noexcept;

private:
    [[nodiscard]] loop_claim* holder() noexcept;
    void release() noexcept;

    std::shared_ptr<event_loop> loop_;
    loop_claim* outer_;
    bool held_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
