#include "terminal/history_files.hpp"

#include "terminal/history_format.hpp"

#include <pyaichat/core/env.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace repl {

namespace {

constexpr std::size_t longest_entry = std::size_t{1} << 18U;
constexpr std::size_t most_kept = 5000;
constexpr off_t trimmed_above = off_t{4} << 20U;

/// A history file, opened and locked.
class locked_file {
public:
    explicit locked_file(const std::string& name, int flags) {
        // Another session may replace the file between `open` and `flock`.
        for (int attempt = 0; attempt < 5 && descriptor_ < 0; ++attempt) {
            descriptor_ = ::open(name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
            struct stat opened = {};
            struct stat named = {};
            if (descriptor_ >= 0 && (::flock(descriptor_, LOCK_EX) != 0 || ::fstat(descriptor_, &opened) != 0 ||
                                     ::stat(name.c_str(), &named) != 0 || opened.st_ino != named.st_ino)) {
                ::close(descriptor_);
                descriptor_ = -1;
            }
        }
    }
    locked_file(const locked_file&) = delete;
    locked_file& operator=(const locked_file&) = delete;
    ~locked_file() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    int descriptor_ = -1;
};

std::string read_descriptor(int descriptor) {
    std::string text;
    std::array<char, 65536> chunk;
    for (ssize_t got = 0; (got = ::read(descriptor, chunk.data(), chunk.size())) != 0;) {
        if (got < 0 && errno != EINTR) {
            break;
        }
        text.append(chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return text;
}

bool write_descriptor(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

}  // namespace

std::vector<std::string> history_files() {
    std::filesystem::path folder = pyaichat::env("XDG_STATE_HOME");
    if (!folder.is_absolute()) {  // the XDG specification ignores relative paths
        const std::filesystem::path home = pyaichat::env("HOME");
        std::error_code error;
        if (!home.is_absolute() || !std::filesystem::is_directory(home, error)) {  // do not create a missing home directory
            return {"", ""};
        }
        folder = home / ".local" / "state";
    }
    folder /= "pyaichat";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return {"", ""};
    }
    return {folder / "history-py", folder / "history-ai"};
}

std::vector<std::string> read_history(const std::string& file) {
    const int descriptor = file.empty() ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return {};
    }
    const std::string text = read_descriptor(descriptor);
    ::close(descriptor);
    return parse_history(text);
}

void append_history(const std::string& file, std::string_view entry) {
    if (file.empty() || entry.size() > longest_entry) {
        return;
    }
    const locked_file opened(file, O_RDWR | O_APPEND | O_CREAT);
    if (opened.descriptor() < 0) {
        return;
    }
    // A write that was cut off may have left a line without its end.
    char last = '\n';
    const off_t size = ::lseek(opened.descriptor(), 0, SEEK_END);
    const bool is_cut = size > 0 && ::pread(opened.descriptor(), &last, 1, size - 1) == 1 && last != '\n';
    static_cast<void>(write_descriptor(opened.descriptor(), (is_cut ? "\n" : "") + format_history(entry)));
}

void trim_history(const std::string& file) {
    struct stat state = {};
    if (file.empty() || ::stat(file.c_str(), &state) != 0 || state.st_size <= trimmed_above) {
        return;
    }
    const locked_file opened(file, O_RDONLY);
    if (opened.descriptor() < 0) {
        return;
    }
    const std::vector<std::string> entries = parse_history(read_descriptor(opened.descriptor()));
    std::size_t first = entries.size();
    std::size_t bytes = 0;
    while (first > 0 && entries.size() - first < most_kept && bytes < static_cast<std::size_t>(trimmed_above) / 2) {
        bytes += entries[--first].size();
    }
    std::string kept;
    for (; first < entries.size(); ++first) {
        kept += format_history(entries[first]);
    }
    const std::string other = file + ".new";
    const int descriptor = ::open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) {
        return;
    }
    const bool written = write_descriptor(descriptor, kept);
    ::close(descriptor);
    if (!written || std::rename(other.c_str(), file.c_str()) != 0) {
        ::unlink(other.c_str());
    }
}

}  // namespace repl
