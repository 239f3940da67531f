#pragma once
#include <pyaichat/config/config.hpp>

#include <chrono>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// A watched descriptor: what is known of it, and who is told. The poller sets the flags. An operation that would block clears its flag.
class poll_target {
public:
    /// Called in a turn of the loop after a flag was set. The target may be destroyed in it.
    virtual void ready() = 0;

    bool readable = false;
    bool writable = false;
    bool hung_up = false;  ///< the peer has ended its side, or the connection is broken: nothing more arrives
    bool queued = false;   ///< `ready` is going to be called in this turn or the next

protected:
    ~poll_target() = default;
};

/// Waits for many descriptors at once. Used by one thread at a time.
class poller {
public:
    using time_point = std::chrono::steady_clock::time_point;

    poller() = default;
    poller(const poller&) = delete;
    poller& operator=(const poller&) = delete;
    virtual ~poller() = default;

    /// Watches the descriptor until `remove`; for reading only, if the target is `writable` already. Returns false if the system refuses.
    [[nodiscard]] virtual bool add(int descriptor, poll_target& target) = 0;
    virtual void remove(int descriptor) noexcept = 0;
    /// Waits until a descriptor is ready, at most until `until`; not at all if that has passed. Sets flags, and appends the targets.
    virtual void wait(time_point until, std::vector<poll_target*>& ready) = 0;

    /// Returns a descriptor that is readable while `wait` would return at once, or -1 if the backend has none.
    [[nodiscard]] virtual int descriptor() const noexcept { return -1; }
    /// Makes `descriptor()` readable at this time. `time_point::max()`: never.
    virtual void set_alarm(time_point) noexcept {}
};

enum class poller_kind : unsigned char {
    best,  ///< epoll on Linux, otherwise `portable`
    portable,
};

/// Returns null if the system refuses the descriptors.
[[nodiscard]] std::unique_ptr<poller> make_poller(poller_kind kind);

/// Backends. `make_epoll_poller` returns null on systems without epoll.
[[nodiscard]] std::unique_ptr<poller> make_epoll_poller();
[[nodiscard]] std::unique_ptr<poller> make_portable_poller();

}  // namespace pyaichat::inline PYAICHAT_ABI::net
