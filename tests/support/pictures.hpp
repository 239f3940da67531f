#pragma once
/// Image files for tests: the first bytes of a file of the type, then filling. Nothing decodes them.
#include <pyaichat/message/image.hpp>

#include <string>
#include <string_view>

namespace pictures {

using namespace std::string_view_literals;

inline pyaichat::image png(std::size_t bytes = 8) {
    std::string data("\x89PNG\r\n\x1a\n"sv);
    data.resize(bytes < data.size() ? data.size() : bytes, 'p');
    return {"image/png", std::move(data)};
}

inline pyaichat::image jpeg() {
    return {"image/jpeg", "\xff\xd8\xff\xe0"};
}

inline pyaichat::image gif() {
    return {"image/gif", "GIF89a"};
}

/// A type that no service takes.
inline pyaichat::image tiff() {
    return {"image/tiff", std::string("II*\0"sv)};
}

}  // namespace pictures
