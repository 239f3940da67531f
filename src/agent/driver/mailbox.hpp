#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/core/task.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What reaches a run from other threads. Shared by the run and by the tasks and responders that work for it, so that each may outlive it.
class mailbox {
public:
    /// Something for the machine, or for whoever pumps to do.
    using item = std::variant<machine_input, task>;

    /// Any thread. Dropped when the run is gone. Pieces of a text are joined when hundreds of items wait already, and those of one attempt
    /// or call are dropped after 64 MiB, so that nobody who shows things can hold up the run or fill the memory.
    void post(item one);

    /// Any thread: asks the run to end, and trips what works for it at once.
    void cancel();

    /// The pumping thread: false when nothing has come since all was taken.
    [[nodiscard]] bool has_news() const noexcept { return news_; }

    /// The pumping thread: whether the run was asked to end, once.
    [[nodiscard]] bool take_cancel();

    /// The pumping thread: the oldest of what has come.
    [[nodiscard]] std::optional<item> take();

    /// The pumping thread: sleeps until something comes, at most for `span`.
    void wait(duration span);

    /// The pumping thread: `work` serves the run now, and is tripped by `cancel` and `close`.
    void opened(cancel_source work);

    /// The pumping thread: nothing is wanted any more.
    void close();

private:
    /// The attempt, or the call, that shows what it has. Their numbers grow.
    struct shower {
        std::uint64_t number = 0;
        std::size_t bytes = 0;
        bool withdrawn = false;  ///< after it had shown too much
        [[nodiscard]] bool may_show(std::uint64_t who, std::size_t size);
    };
    /// Where the last piece of a text went.
    struct stream {
        std::uint64_t number = 0;
        std::size_t place = static_cast<std::size_t>(-1);  ///< among all items that there ever were
    };
    [[nodiscard]] bool absorb(const item& one);
    [[nodiscard]] bool absorb_restart(const input::model_delta& restart);
    [[nodiscard]] bool join(stream& of, std::uint64_t who, const std::string& text);

    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<item> items_;  ///< few at a time
    std::size_t taken_ = 0;    ///< of them
    std::size_t gone_ = 0;     ///< items that are in here no more
    shower model_ = {};
    shower call_ = {};
    stream text_ = {};
    stream thoughts_ = {};
    stream output_ = {};
    std::atomic<bool> news_ = false;  ///< there may be something to take: looked at without the lock, as a thousand runs are in each frame
    cancel_source open_{std::nostopstate};
    bool closed_ = false;
    bool cancelled_ = false;
    bool cancel_taken_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
