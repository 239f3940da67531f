#include "python/script_file.hpp"

#include "python/python_literal.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace repl {

pyaichat::result<std::string> read_script(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) {
        return pyaichat::failure{.code = pyaichat::errc::not_found, .message = "cannot read " + path + ": " + std::strerror(errno)};
    }
    if (text.starts_with("\xEF\xBB\xBF")) {  // byte order mark
        text.erase(0, 3);
    }
    return text;
}

std::string script_setup(const std::string& path) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::absolute(path, error);
    // As in Python: for a symbolic link, the folder of the file itself, where its modules are.
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    const std::string folder = (error ? file : real).parent_path().string();
    // Must not define other names than `__file__`.
    return "__file__ = " + python_literal(file.string()) + "\n__import__('sys').argv = [" + python_literal(path) +
           "]\n__import__('sys').path.insert(0, " + python_literal(folder) + ")\n";
}

}  // namespace repl
