#include "terminal/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace repl {

pyaichat::result<std::string> read_whole_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return pyaichat::failure{.code = pyaichat::errc::invalid_argument, .message = "cannot read " + path + ": it is a folder"};
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) {
        return pyaichat::failure{.code = pyaichat::errc::not_found, .message = "cannot read " + path + ": " + std::strerror(errno)};
    }
    return text;
}

}  // namespace repl
