#pragma once
#include <pyaichat/policy/run_journal.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The records of one run, in the order in which they were written.
struct journalled_run {
    std::string run_id = {};
    std::vector<journal_record> records = {};
};

/// A journal in a file, one JSON record per line. Satisfies `run_journal`. Thread-safe. POSIX systems only.
///
/// The file is locked against other processes. After a `fork`, the child cannot write it. Only its owner can read it, because it holds
/// conversations. It grows until `compact` (see agent/recover.hpp) removes the runs that have ended, or `remove` some runs.
class file_journal {
public:
    /// Opens or creates the file, and removes an incomplete last record. Fails with `busy` (another journal has it open), `bad_response`
    /// (not a journal), `invalid_argument` (not a regular file), `not_found`, `not_allowed` or `unavailable`.
    [[nodiscard]] static result<file_journal> open(const std::string& path);

    file_journal(file_journal&&) noexcept;
    file_journal& operator=(file_journal&&) noexcept;
    ~file_journal();

    /// Writes a record, and returns when it is on the disk. Fails with `too_large` (nested deeper than `max_json_depth` - 1) or with
    /// `unavailable`. After a failed write the partial record is removed; if its removal or the sync fails, all later calls fail.
    [[nodiscard]] result<void> append(const journal_record& record);

    /// Makes the caller the only owner of a run, see `run_journal`.
    [[nodiscard]] result<std::uint64_t> claim(const std::string& run_id, std::uint64_t last);

    /// Reads all runs in the file, also those that have ended, in the order in which they began: for `basic_agent::recover`.
    /// Fails with `bad_response` or `unavailable`.
    [[nodiscard]] result<std::vector<journalled_run>> runs() const;

    /// Removes the records of these runs, by their ids, and keeps a line of some hundred bytes for each, so that `claim` still refuses an
    /// older snapshot. Writes a new file in place of the old one; after a failure or a crash, it is the one or the other. A run
    /// that is still being written loses its lease. Fails like `open`, and with `invalid_state` in a child process.
    [[nodiscard]] result<void> remove(std::span<const std::string> run_ids);

private:
    struct state;
    explicit file_journal(std::unique_ptr<state> opened) noexcept;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
