#pragma once
#include "net/fork_mark.hpp"
#include "net/loop_message.hpp"
#include "net/reactor.hpp"
#include "net/wake_signal.hpp"

#include <pyaichat/policy/event_loop.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Decides which thread runs the loop of a transport, and gives it the messages of the others.
///
/// One thread at a time owns the loop: its own thread while work is in flight, a thread with the claim, or nobody. The owner alone touches
/// the reactor and the client. The mutex guards the rest, and is never held while code of the client or of the host runs.
class loop_runner final : public event_loop, public std::enable_shared_from_this<loop_runner> {
public:
    struct options {
        bool own_thread = true;
        poller_kind poller = poller_kind::best;
        duration thread_idle = std::chrono::seconds(5);      ///< how long the thread without work waits for more
        duration shutdown = std::chrono::milliseconds(100);  ///< how long `close` waits for the thread
    };

    explicit loop_runner(const options& chosen);
    ~loop_runner() override;
    /// Call it once, before any other member.
    void adopt(std::unique_ptr<loop_client> client) { client_ = std::move(client); }

    // See `event_loop`.
    [[nodiscard]] bool claim() override;
    [[nodiscard]] bool run(duration span) override;
    void wake() noexcept override;
    void release() noexcept override;

    // Any thread.
    /// Begins work. Also takes the loop from a thread that has the claim and does not run it now.
    void start(std::shared_ptr<loop_work> work);
    /// Gives a message about work in flight. `urgent`: takes the loop as `start` does.
    void post(std::shared_ptr<loop_message> message, bool urgent);
    /// Ends all work as cancelled, and the thread. Waits for another thread for a moment only.
    void close() noexcept;
    /// Returns whether the calling thread is inside of the loop.
    [[nodiscard]] bool inside() const noexcept { return inside_ == std::this_thread::get_id(); }
    /// Returns whether the calling thread has the claim.
    [[nodiscard]] bool holds_claim();
    /// Takes the claim even if work is in flight, if there is no thread that runs it.
    [[nodiscard]] bool take_over();
    /// Returns whether this process is a child of the one that made the loop. Then nothing else may be called.
    [[nodiscard]] bool forked() const noexcept { return mark_.forked(); }

    // The loop of a host.
    /// Does what is due without waiting, for about `budget`.
    void poll(duration budget);
    /// Returns a descriptor that is readable when `poll` has something to do, or -1.
    [[nodiscard]] int descriptor() const noexcept { return reactor_.descriptor(); }

    // The thread that runs the loop.
    [[nodiscard]] reactor& io() noexcept { return reactor_; }
    /// Returns whether no more than one piece of work is in flight.
    [[nodiscard]] bool alone();
    /// Reports the end of work.
    void ended(const loop_work& work);

private:
    using lock_type = std::unique_lock<std::mutex>;
    using time_point = reactor::time_point;
    enum class owner : unsigned char { nobody, claimer, thread, closer };
    enum class action : unsigned char { none, signal, notify, spawn };

    [[nodiscard]] bool take_claim(std::size_t most_in_flight);
    void enter(const lock_type&) noexcept;
    void leave(const lock_type&) noexcept;
    void deliver(lock_type& lock);
    bool turn(lock_type& lock, time_point until);
    void finish_closing(lock_type& lock);
    [[nodiscard]] action attend(const lock_type&, bool urgent) noexcept;
    [[nodiscard]] action hand_over(const lock_type&) noexcept;
    void perform(action what, const std::shared_ptr<loop_work>& cause);
    void thread_main();

    const options options_;
    const fork_mark mark_;
    reactor reactor_;
    wake_signal signal_;
    std::unique_ptr<loop_client> client_;

    std::mutex mutex_;
    std::condition_variable thread_work_;
    std::condition_variable changed_;  ///< the thread has ended, or the loop is closed and empty
    std::vector<std::shared_ptr<loop_message>> messages_;
    std::vector<std::shared_ptr<loop_message>> delivered_;  ///< of the thread inside
    owner owner_ = owner::nobody;
    std::thread::id claimer_ = {};
    std::atomic<std::thread::id> inside_ = std::thread::id();
    bool sleeping_ = false;  ///< the thread inside waits, or is about to
    bool woken_ = false;
    bool closed_ = false;
    bool thread_alive_ = false;
    std::size_t in_flight_ = 0;
    std::size_t foreign_ = 0;  ///< those in flight that the thread with the claim has not started
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
