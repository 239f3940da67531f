#include "assistant/dotenv.hpp"

#include <pyaichat/core/text.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace repl {

namespace {

constexpr off_t max_file_size = 64 << 10;

bool is_variable_name(std::string_view name) {
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) {
        return false;
    }
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
            return false;
        }
    }
    return true;
}

std::string read_value(std::string_view text) {
    text = pyaichat::detail::trimmed(text);
    if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
        const std::size_t end = text.find(text.front(), 1);
        if (end != std::string_view::npos) {
            return std::string(text.substr(1, end - 1));
        }
    }
    if (const std::size_t comment = text.find(" #"); comment != std::string_view::npos) {
        text = pyaichat::detail::trimmed(text.substr(0, comment));
    }
    return std::string(text);
}

}  // namespace

variables parse_dotenv(std::string_view text) {
    variables out;
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = pyaichat::detail::trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.starts_with("export ")) {
            line = pyaichat::detail::trimmed(line.substr(7));
        }
        const std::size_t equals = line.find('=');
        if (line.starts_with('#') || equals == std::string_view::npos) {
            continue;
        }
        if (const std::string_view name = pyaichat::detail::trimmed(line.substr(0, equals)); is_variable_name(name)) {
            out.insert_or_assign(std::string(name), read_value(line.substr(equals + 1)));
        }
    }
    return out;
}

dotenv_file read_dotenv(const char* path) {
    const auto not_read = [&](const std::string& why) { return dotenv_file{.problem = std::string(path) + " is not used: " + why}; };
    // Non-blocking, because opening a named pipe would block.
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno == ENOENT || errno == ENOTDIR ? dotenv_file() : not_read(std::strerror(errno));
    }
    struct stat info = {};
    const bool known = ::fstat(file, &info) == 0;
    if (known && S_ISDIR(info.st_mode) && ::faccessat(file, "pyvenv.cfg", F_OK, 0) == 0) {
        ::close(file);
        return {};  // a virtual environment of that name
    }
    if (!known || !S_ISREG(info.st_mode) || info.st_size > max_file_size) {
        ::close(file);
        return not_read(known && S_ISREG(info.st_mode) ? "it is larger than 64 KiB" : "it is not a file");
    }
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t filled = 0;
    int error = 0;
    while (filled < text.size()) {
        const ssize_t count = ::read(file, text.data() + filled, text.size() - filled);
        if (count <= 0) {
            error = count < 0 ? errno : 0;
            break;
        }
        filled += static_cast<std::size_t>(count);
    }
    ::close(file);
    if (error != 0) {
        return not_read(std::strerror(error));
    }
    text.resize(filled);
    return {.values = parse_dotenv(text)};
}

}  // namespace repl
