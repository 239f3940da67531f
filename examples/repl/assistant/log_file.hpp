#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/event.hpp>

#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The file of `--log`: the events of all questions, one JSON object per line. Only the owner may read the file. It contains questions,
/// calls and replies; secrets are replaced by `***`.
class log_file {
public:
    log_file() = default;
    log_file(const log_file&) = delete;
    log_file& operator=(const log_file&) = delete;
    ~log_file();

    /// Opens the file for appending. Fails with `not_found`.
    [[nodiscard]] ai::result<void> open(const std::string& path, std::vector<std::string> secrets);

    /// Appends an event. Does nothing if no file is open.
    void write(const ai::event& happened);

    /// The error of the first write that failed, or empty.
    [[nodiscard]] const std::string& gap() const noexcept { return gap_; }

private:
    int file_ = -1;
    std::vector<std::string> secrets_;
    std::string path_;
    std::string gap_;
};

}  // namespace repl
