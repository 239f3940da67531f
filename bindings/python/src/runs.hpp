#pragma once
#include <pyaichat/agent/run.hpp>
#include <pyaichat/runtime/file_journal.hpp>

#include "object_ref.hpp"
#include "waker.hpp"

#include <atomic>
#include <deque>
#include <memory>

namespace bindings {

/// One run. Only one thread at a time may use it; a second one gets an exception.
class run_handle {
public:
    /// `events` are those that the observers of the run collect.
    run_handle(ai::run run, std::shared_ptr<std::deque<ai::event>> events, std::shared_ptr<const waker> wake)
        : run_(std::move(run)), events_(std::move(events)), wake_(std::move(wake)) {}

    /// Pumps for at most `seconds` without the GIL. Returns "working", "waiting", "awaiting_approval" or "done".
    [[nodiscard]] const char* wait(double seconds);
    /// Like `wait`, but returns as soon as there are events.
    [[nodiscard]] const char* wait_for_events(double seconds);
    /// Pumps without waiting.
    [[nodiscard]] const char* pump();
    /// Returns and removes the events that have happened.
    [[nodiscard]] py::list take_events();
    /// Thread-safe.
    void cancel() const;
    [[nodiscard]] py::dict answer() const;
    /// The calls that wait for a decision, each with `reason`.
    [[nodiscard]] py::list pending() const;
    /// Decides about a pending call.
    void resume(std::uint64_t call, const py::tuple& decision);
    [[nodiscard]] int descriptor() const noexcept { return wake_ ? wake_->descriptor() : -1; }

private:
    template <class Step>
    [[nodiscard]] const char* alone(Step step);

    ai::run run_;
    std::shared_ptr<std::deque<ai::event>> events_;
    std::shared_ptr<const waker> wake_;
    std::atomic<bool> used_ = false;
};

/// Registers `Run`, `Journal`, `start` and `check_limits`.
void add_runs(py::module_& module);

}  // namespace bindings
