#pragma once
#include <pyaichat/core/result.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Reads a file and passes its text to `parse`. Error messages begin with the path. Fails with `not_found` if the file cannot be read.
template <class Parse>
[[nodiscard]] auto read_text_file(const std::string& path, Parse parse, std::string hint = "Check the path and the permissions.")
    -> decltype(parse(std::string_view())) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad()) {
        return failure{.code = errc::not_found, .message = path + ": cannot be read", .hint = std::move(hint)};
    }
    auto out = parse(text);
    if (!out) {
        failure error = std::move(out).error();
        error.message = path + ": " + error.message;
        return error;
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
