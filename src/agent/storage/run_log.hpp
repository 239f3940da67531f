#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/policy/run_journal.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Writes the records of a run to a journal, up to the first that fails: a run cannot be rebuilt across a gap, so it then makes no calls.
class run_log {
public:
    /// `owner` is what `any_journal::claim` returned; its failure is a gap from the beginning. `last` is the number of the last record.
    run_log(any_journal journal, std::string run_id, const result<std::uint64_t>& owner, std::uint64_t last = 0)
        : journal_(std::move(journal)), run_id_(std::move(run_id)), owner_(owner ? *owner : 0), last_(last) {
        if (!owner) {
            broken_ = owner.error();
        }
    }

    void begin(const run_setup& setup, instant now);
    /// Records that the run continues from this snapshot.
    void begin(const json& snapshot, instant now);
    void record(const machine_input& in, instant now);
    /// Records that the run was recovered and continues on another clock.
    void recovered(instant now);

    /// The number of the last record.
    [[nodiscard]] std::uint64_t last() const noexcept { return last_; }

    /// Returns why a record could not be written, or nothing.
    [[nodiscard]] const std::optional<failure>& broken() const noexcept { return broken_; }

private:
    void append(json content, instant now);

    any_journal journal_;
    std::string run_id_;
    std::uint64_t owner_;
    std::uint64_t last_;
    capability_list declared_ = {};
    json pieces_ = {};  ///< deltas, written with the next record: a disk write for each would be too slow
    std::optional<failure> broken_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
