#include <pyaichat/runtime/file_journal.hpp>

#include "runtime/append_file.hpp"
#include "runtime/journal_lines.hpp"

#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// The content of the only record that is left of a removed run. It has the number of the run's last record.
json removed_mark() {
    return json::object({{"removed", true}});
}

}  // namespace

struct file_journal::state {
    explicit state(detail::append_file opened) : file(std::move(opened)) {}

    std::mutex mutex = {};
    detail::append_file file;
    struct lease {
        std::uint64_t owner = 0;
        std::uint64_t last = 0;  ///< the number of the last record
    };
    std::unordered_map<std::string, lease> leases = {};  ///< by run

    [[nodiscard]] result<detail::journal_lines> read() const {
        const result<std::string> text = file.read();
        if (!text) {
            return text.error();
        }
        result<detail::journal_lines> lines = detail::read_lines(*text);
        if (!lines) {
            lines.error().message = file.path() + ": " + lines.error().message;
        }
        return lines;
    }
};

file_journal::file_journal(std::unique_ptr<state> opened) noexcept : state_(std::move(opened)) {}
file_journal::file_journal(file_journal&&) noexcept = default;
file_journal& file_journal::operator=(file_journal&&) noexcept = default;
file_journal::~file_journal() = default;

result<file_journal> file_journal::open(const std::string& path) {
    result<detail::append_file> file = detail::append_file::open(path);
    if (!file) {
        return std::move(file.error());
    }
    auto opened = std::make_unique<state>(std::move(*file));
    const result<detail::journal_lines> lines = opened->read();
    if (!lines) {
        return lines.error();
    }
    if (lines->whole < opened->file.size()) {
        if (const result<void> cut = opened->file.cut(lines->whole); !cut) {
            return cut.error();
        }
    }
    for (const journalled_run& run : lines->runs) {
        opened->leases[run.run_id].last = run.records.back().number;
    }
    return file_journal(std::move(opened));
}

result<std::uint64_t> file_journal::claim(const std::string& run_id, std::uint64_t last) {
    const std::lock_guard lock(state_->mutex);
    state::lease& lease = state_->leases[run_id];
    if (lease.last > last) {
        return failure{.code = errc::lease_lost,
                       .message = "the run " + run_id + " was continued: the journal has record " + std::to_string(lease.last) +
                                  ", and the last one known here is " + std::to_string(last),
                       .hint = "Recover the run from the journal."};
    }
    return ++lease.owner;
}

result<void> file_journal::append(const journal_record& record) {
    const result<std::string> line = detail::encode_line(record);
    if (!line) {
        return line.error();
    }
    const std::lock_guard lock(state_->mutex);
    state::lease& lease = state_->leases[record.run_id];
    if (record.owner < lease.owner) {
        return failure{.code = errc::lease_lost,
                       .message = "the run " + record.run_id + " is continued by another owner",
                       .hint = "Continue a run in one place only."};
    }
    result<void> written = state_->file.append(*line);
    lease.last = written ? record.number : lease.last;
    return written;
}

result<std::vector<journalled_run>> file_journal::runs() const {
    const std::lock_guard lock(state_->mutex);
    result<detail::journal_lines> lines = state_->read();
    if (!lines) {
        return std::move(lines.error());
    }
    for (journalled_run& run : lines->runs) {
        std::erase_if(run.records, [](const journal_record& record) { return record.content == removed_mark(); });
    }
    std::erase_if(lines->runs, [](const journalled_run& run) { return run.records.empty(); });
    return std::move(lines->runs);
}

result<void> file_journal::remove(std::span<const std::string> run_ids) {
    const std::lock_guard lock(state_->mutex);
    result<detail::journal_lines> lines = state_->read();
    if (!lines) {
        return std::move(lines.error());
    }
    const std::unordered_set<std::string> removed(run_ids.begin(), run_ids.end());
    std::string text;
    for (journalled_run& run : lines->runs) {
        if (removed.count(run.run_id) != 0) {
            run.records.erase(run.records.begin(), run.records.end() - 1);
            run.records.back().content = removed_mark();
            ++state_->leases[run.run_id].owner;  // who still writes it has no beginning any more
        }
        for (const journal_record& record : run.records) {
            const result<std::string> line = detail::encode_line(record);
            if (!line) {
                return line.error();
            }
            text += *line;
        }
    }
    return state_->file.replace(text);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
