#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/policy/run_journal.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Writes what happens to one run into a journal. After the first record that could not be written nothing is written any more: a run
/// cannot be rebuilt across a gap, and the run then invokes no capability.
class run_log {
public:
    /// A lease that could not be had is a gap from the beginning.
    run_log(any_journal journal, std::string run_id, const result<run_lease>& lease)
        : journal_(std::move(journal)), run_id_(std::move(run_id)), lease_(lease ? *lease : run_lease()) {
        if (!lease) {
            broken_ = lease.error();
        }
    }

    void begin(const run_setup& setup, instant now);
    /// The run goes on from this snapshot.
    void begin(const json& snapshot, instant now);
    void record(const machine_input& in, instant now);
    /// From here on the run goes on from a snapshot of itself, on another clock.
    void recovered(instant now);

    [[nodiscard]] std::uint64_t records() const noexcept { return lease_.records; }

    /// Why there is a gap; nothing when there is none.
    [[nodiscard]] const std::optional<failure>& broken() const noexcept { return broken_; }

private:
    void append(json content, instant now);

    any_journal journal_;
    std::string run_id_;
    run_lease lease_;
    capability_list declared_ = {};
    json pieces_ = {};  ///< deltas that are kept with the next record: a stream must not cost a disk's patience for each word
    std::optional<failure> broken_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
