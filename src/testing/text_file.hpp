#pragma once
#include <pyaichat/core/result.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What `read` makes of a file's text; failures are told with its name. Fails with `not_found` when the file cannot be read.
template <class Read>
[[nodiscard]] auto read_text_file(const std::string& path, Read read, std::string hint = "Name a file that exists and may be read.")
    -> decltype(read(std::string_view())) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad()) {
        return failure{.code = errc::not_found, .message = path + ": cannot be read", .hint = std::move(hint)};
    }
    auto out = read(text);
    if (!out) {
        failure error = std::move(out).error();
        error.message = path + ": " + error.message;
        return error;
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
