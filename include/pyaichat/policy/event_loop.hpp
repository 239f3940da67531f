#pragma once
#include <pyaichat/core/time.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI {

/// The event loop of a transport, as a waiting thread sees it. One thread at a time runs a loop: a thread of its own, or a thread that
/// waits for its results and would otherwise sleep. The latter saves two switches between threads for each result.
class event_loop {
public:
    event_loop() = default;
    event_loop(const event_loop&) = delete;
    event_loop& operator=(const event_loop&) = delete;
    virtual ~event_loop() = default;

    /// Takes the loop for the calling thread. What this thread starts from now on waits for its `run`. Returns false if another thread has
    /// the loop, or the loop has work that others started.
    [[nodiscard]] virtual bool claim() = 0;
    /// Runs the loop until `wake` is called, for at most `span`. Call it on the thread with the claim. Returns false, at once, if the claim
    /// was lost: another thread started work while the claiming thread did not run the loop, so the loop's own thread has taken over.
    [[nodiscard]] virtual bool run(duration span) = 0;
    /// Makes `run` return. If it does not run now, the next `run` returns at once. Thread-safe; cheap on the thread that runs the loop.
    virtual void wake() noexcept = 0;
    /// Ends the claim. Work that is left goes on in the loop's own thread.
    virtual void release() noexcept = 0;
};

/// Returns the loop that a waiting thread may run for a transport or a provider, or null.
template <class T>
[[nodiscard]] std::shared_ptr<event_loop> loop_of(const T& owner) {
    if constexpr (requires { owner.loop(); }) {
        return owner.loop();
    } else {
        return nullptr;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
