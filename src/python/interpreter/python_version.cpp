#include "python/interpreter/python_version.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::string minor_version(std::uint32_t hex) {
    return std::to_string(hex >> 24) + "." + std::to_string(hex >> 16 & 0xFF);
}

}  // namespace

result<void> check_python_version(std::uint32_t running, std::uint32_t compiled_for) {
    if (running >> 16 == compiled_for >> 16) {
        return {};
    }
    return failure{.code = errc::not_allowed,
                   .message = "the process runs Python " + minor_version(running) + ", but this library was compiled for Python " +
                              minor_version(compiled_for),
                   .hint = "Compile the SDK with the headers of the host's Python: set PYAICHAT_PYTHON_EXECUTABLE."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
