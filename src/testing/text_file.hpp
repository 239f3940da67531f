#pragma once
#include <pyaichat/core/result.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Reads a file and passes its text to `parse`. Error messages begin with the path. Fails with `not_found` if the file cannot be read.
template <class Parse>
[[nodiscard]] auto read_text_file(const std::string& path, Parse parse, std::string hint = "Check the path and the permissions.")
    -> decltype(parse(std::string_view())) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return failure{.code = errc::invalid_argument, .message = path + ": it is a folder", .hint = std::move(hint)};
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad()) {
        return failure{.code = errc::not_found, .message = path + ": cannot be read", .hint = std::move(hint)};
    }
    auto out = parse(text);
    if (!out) {
        failure why = std::move(out).error();
        why.message = path + ": " + why.message;
        return why;
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
