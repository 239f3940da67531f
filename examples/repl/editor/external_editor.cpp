#include "editor/external_editor.hpp"

#include "terminal/whole_file.hpp"

#include <pyaichat/core/env.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace repl {

namespace {

pyaichat::failure editor_failure(std::string what) {
    return {.code = pyaichat::errc::unavailable, .message = std::move(what)};
}

/// A file that is deleted with the object.
class temporary_file {
public:
    temporary_file() {
        std::error_code error;
        path_ = std::filesystem::temp_directory_path(error) / "pyaichat-XXXXXX.py";
        descriptor_ = ::mkostemps(path_.data(), 3, O_CLOEXEC);  // mode 0600
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
            ::unlink(path_.c_str());
        }
    }

    [[nodiscard]] std::string& path() noexcept { return path_; }

    [[nodiscard]] bool write(std::string_view text) const {
        while (descriptor_ >= 0 && !text.empty()) {
            const ssize_t written = ::write(descriptor_, text.data(), text.size());
            if (written < 0 && errno != EINTR) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
        }
        return descriptor_ >= 0;
    }

private:
    std::string path_;
    int descriptor_ = -1;
};

}  // namespace

pyaichat::result<std::string> edit_externally(const std::string& text) {
    temporary_file file;
    if (!file.write(text + "\n")) {
        return editor_failure(std::string("the text cannot be written to a temporary file: ") + std::strerror(errno));
    }
    std::string program = pyaichat::env("VISUAL");
    program = program.empty() ? pyaichat::env("EDITOR") : program;
    std::string script = (program.empty() ? "vi" : program) + " \"$1\"";  // may have arguments, such as "code --wait"
    std::string shell = "sh";
    std::string option = "-c";
    std::array<char*, 6> arguments = {shell.data(), option.data(), script.data(), shell.data(), file.path().data(), nullptr};
    pid_t child = 0;
    if (const int error = ::posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments.data(), environ); error != 0) {
        return editor_failure(std::string("the editor cannot be started: ") + std::strerror(error));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return editor_failure(std::string("waiting for the editor failed: ") + std::strerror(errno));
        }
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return editor_failure("the editor ended with an error; the text is unchanged");
    }
    auto edited = read_whole_file(file.path());  // by the path: editors often replace the file
    if (!edited) {
        return editor_failure("the editor removed the file; the text is unchanged");
    }
    std::erase(*edited, '\r');
    while (edited->ends_with('\n')) {
        edited->pop_back();
    }
    return edited;
}

}  // namespace repl
