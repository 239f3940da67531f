#include "terminal/history_files.hpp"

#include <pyaichat/core/env.hpp>

#include <filesystem>
#include <system_error>

namespace repl {

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

}  // namespace repl
