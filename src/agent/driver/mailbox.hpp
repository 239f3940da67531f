#pragma once
#include "policy/wait_room.hpp"

#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The queue between a run and other threads. Also holds the callers of nested calls, and the work to cancel with the run. Shared by the
/// run and its tasks and responders, which may outlive it.
class mailbox {
public:
    /// An input for the machine, or a task for the pumping thread.
    using item = std::variant<machine_input, task>;

    /// Appends an item, or drops it after `close`. Thread-safe. If hundreds of items wait, pieces of text are joined; more than 64 MiB of
    /// text per attempt, or per call and those beside it, are dropped. This limits the memory and the length of a `pump`.
    void post(item value);

    /// Registers a responder and returns its ticket. If the run has ended or too many wait, replies and returns 0. Thread-safe.
    [[nodiscard]] std::uint64_t enlist(capability_responder waiting);
    void answer(std::uint64_t ticket, capability_reply reply);
    /// Requests the end of the run and cancels its work at once. Thread-safe.
    void cancel();

    // The following members belong to the pumping thread.

    /// Returns whether something has arrived since `take` returned nothing, or took over what had arrived until then.
    [[nodiscard]] bool has_news() const noexcept { return news_; }

    /// Returns true once after `cancel`.
    [[nodiscard]] bool take_cancel();
    /// Removes and returns the oldest item.
    [[nodiscard]] std::optional<item> take();
    /// Blocks until an item arrives, at most for `span`. Runs the loop of `claim` meanwhile if it may. May return earlier.
    void wait(duration span, loop_claim& claim);
    /// Sets the work that `cancel` and `close` cancel. Output of calls before `first_call` is dropped from now on; 0 = a model call.
    void opened(cancel_source work, std::uint64_t first_call = 0);
    /// Drops all items, cancels the work and replies to all waiting responders that the run is over.
    void close();

private:
    /// The source of the output: a model attempt or a capability call. Numbers increase.
    struct output_source {
        std::uint64_t number = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] bool absorb(machine_input& in);

    wait_room room_;
    std::vector<item> arrived_;
    std::vector<item> taken_;  ///< used by the pumping thread only; returned up to `next_`
    std::size_t next_ = 0;
    output_source model_ = {};
    output_source call_ = {};
    std::map<std::uint64_t, capability_responder> waiting_;
    std::uint64_t last_ticket_ = 0;
    std::atomic<bool> news_ = false;  ///< there may be an item; read without the lock, which would be slow for many idle runs
    cancel_source open_{std::nostopstate};
    bool closed_ = false;
    bool cancelled_ = false;
    bool cancel_taken_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
