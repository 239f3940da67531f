#include "python/script_file.hpp"

#include "python/python_literal.hpp"
#include "terminal/whole_file.hpp"

#include <filesystem>
#include <system_error>

namespace repl {

pyaichat::result<std::string> read_script(const std::string& path) {
    auto text = read_whole_file(path);
    if (text && text->starts_with("\xEF\xBB\xBF")) {  // byte order mark
        text->erase(0, 3);
    }
    return text;
}

std::string script_folder(const std::string& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return (error ? std::filesystem::absolute(path, error) : real).parent_path().string();
}

std::string script_setup(const std::string& path) {
    std::error_code error;
    // Must not define other names than `__file__`.
    return "__file__ = " + python_literal(std::filesystem::absolute(path, error).string()) + "\n";
}

}  // namespace repl
