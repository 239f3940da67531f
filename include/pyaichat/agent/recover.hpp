#pragma once
#include <pyaichat/agent/run_machine.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/runtime/file_journal.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// A run that was rebuilt from its journal.
struct recovered_run {
    run_machine machine;
    std::string run_id = {};
    std::uint64_t records = 0;  ///< the number of the last record
};

/// Rebuilds a run exactly as it was, with its old times. `records` are all records of one run, in order, without a partly written last
/// record. Fails with `bad_response`, naming the record. Thread-safe.
[[nodiscard]] result<recovered_run> replay(std::span<const journal_record> records);

/// Rebuilds a run like `replay`, and prepares it to continue at `now`. An interrupted call is made again, but an invoked call that must not
/// be repeated gets the reply `in_doubt`. `basic_agent::recover` calls this and continues the journal. Thread-safe.
[[nodiscard]] result<recovered_run> recover(std::span<const journal_record> records, instant now);

/// Removes the runs that have ended from a journal, by `file_journal::remove`, and returns how many. Keeps a run that cannot be rebuilt.
/// Fails like `file_journal::remove`. Takes the time that it takes to rebuild all runs. Thread-safe.
[[nodiscard]] result<std::size_t> compact(file_journal& journal);

}  // namespace pyaichat::inline PYAICHAT_ABI
