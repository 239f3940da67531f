#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/policy/run_journal.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// A run as its journal tells of it.
struct recovered_run {
    run_machine machine;
    std::string run_id = {};
    std::uint64_t records = 0;  ///< the number of the last one
};

/// Rebuilds a run from its records, in their order, on the time line that they were written on: bit for bit what it was. Fails with
/// `bad_response`, which names the record; a last record that was written by half is for the journal to leave out.
[[nodiscard]] result<recovered_run> replay(std::span<const journal_record> records);

/// The same, ready to go on now: what was under way is done again, but for a call that was begun and must not be repeated, whose reply is
/// `in_doubt`. `basic_agent::recover` does this and goes on with the journal.
[[nodiscard]] result<recovered_run> recover(std::span<const journal_record> records, instant now);

}  // namespace pyaichat::inline PYAICHAT_ABI
