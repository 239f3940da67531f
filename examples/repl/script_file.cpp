#include "script_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace repl {

pyaichat::result<std::string> read_script(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) {
        return pyaichat::failure{.code = pyaichat::errc::not_found, .message = "cannot read " + path + ": " + std::strerror(errno)};
    }
    return text;
}

}  // namespace repl
