#pragma once
#include <pyaichat/policy/run_journal.hpp>

#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The records of one run, in their order.
struct journalled_run {
    std::string run_id = {};
    std::vector<journal_record> records = {};
};

/// A journal in a file: one record a line, as JSON, on the disk when `append` returns. Models `run_journal`; any thread. POSIX systems
/// only.
///
/// The file belongs to one process at a time, is readable by its owner only (it holds what was said), and grows: to begin anew, remove it
/// while no journal has it open. A record that nests deeper than `max_json_depth` less one is refused.
class file_journal {
public:
    /// Opens or creates the file, and cuts off a last record that was written by half. Fails with `busy` when another journal has it open,
    /// `bad_response` when it is something else than a journal, `not_found`, `not_allowed`, `invalid_argument` (no ordinary file), or
    /// `unavailable`.
    [[nodiscard]] static result<file_journal> open(const std::string& path);

    file_journal(file_journal&&) noexcept;
    file_journal& operator=(file_journal&&) noexcept;
    ~file_journal();

    /// Fails with `unavailable` when the record is not on the disk. What is left of it is taken back; when that fails too, or when it is
    /// not known what the disk holds, all later ones fail.
    [[nodiscard]] result<void> append(const journal_record& record);

    /// The runs that the file tells of, ended ones too, in the order in which they began: for `basic_agent::recover`. Fails like `open`.
    [[nodiscard]] result<std::vector<journalled_run>> runs() const;

private:
    struct state;
    explicit file_journal(std::unique_ptr<state> opened) noexcept;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
