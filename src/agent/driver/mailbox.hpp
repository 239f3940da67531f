#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Where a run and other threads meet: what arrives for the run, who waits for it, and what has to stop with it. Shared by the run and by
/// the tasks and responders that work for it, so that each may outlive it.
class mailbox {
public:
    /// Something for the machine, or for whoever pumps to do.
    using item = std::variant<machine_input, task>;

    /// Any thread. Dropped when the run is gone. Pieces of a text are joined when hundreds of items wait already, and those of one attempt
    /// or call are dropped after 64 MiB, so that nobody who shows things can hold up the run or fill the memory.
    void post(item one);

    /// Any thread: a ticket for `waiting`, whom `answer` answers. 0 when the run is over, or too many wait, and then it was told so.
    [[nodiscard]] std::uint64_t enlist(capability_responder waiting);
    void answer(std::uint64_t ticket, capability_reply reply);

    /// Any thread: asks the run to end, and trips what works for it at once.
    void cancel();

    /// The pumping thread: false when nothing has come since all was taken.
    [[nodiscard]] bool has_news() const noexcept { return news_ || next_ < taken_.size(); }

    /// The pumping thread: whether the run was asked to end, once.
    [[nodiscard]] bool take_cancel();

    /// The pumping thread: the oldest of what has come.
    [[nodiscard]] std::optional<item> take();

    /// The pumping thread: sleeps until something comes, at most for `span`.
    void wait(duration span);

    /// The pumping thread: `work` serves the run now, and is tripped by `cancel` and `close`.
    void opened(cancel_source work);

    /// The pumping thread: nothing is wanted any more. Who waits is told that the run is over.
    void close();

private:
    /// The attempt, or the call, that shows what it has. Their numbers grow.
    struct shower {
        std::uint64_t number = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] bool absorb(machine_input& in);

    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<item> arrived_;
    std::vector<item> taken_;  ///< of the pumping thread alone: what had arrived at some time, up to `next_` handed out
    std::size_t next_ = 0;
    shower model_ = {};
    shower call_ = {};
    std::map<std::uint64_t, capability_responder> waiting_;
    std::uint64_t last_ticket_ = 0;
    std::atomic<bool> news_ = false;  ///< there may be something to take: looked at without the lock, as a thousand runs are in each frame
    cancel_source open_{std::nostopstate};
    bool closed_ = false;
    bool cancelled_ = false;
    bool cancel_taken_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
