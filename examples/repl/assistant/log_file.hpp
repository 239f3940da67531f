#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/event.hpp>

#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The file of `--log`: what happens in each question, one JSON object a line, appended as it happens. Only the owner may read it. It holds
/// questions, calls and replies, since the person asked for it; the secrets are replaced by `***` wherever they occur.
class log_file {
public:
    log_file() = default;
    log_file(const log_file&) = delete;
    log_file& operator=(const log_file&) = delete;
    ~log_file();

    /// Fails with `not_found` when the file cannot be opened.
    [[nodiscard]] ai::result<void> open(const std::string& path, std::vector<std::string> secrets);

    /// Does nothing while no file is open.
    void write(const ai::event& happened);

    /// Why the log has a gap: the first write that failed; empty when there was none.
    [[nodiscard]] const std::string& gap() const noexcept { return gap_; }

private:
    int file_ = -1;
    std::vector<std::string> secrets_;
    std::string path_;
    std::string gap_;
};

}  // namespace repl
