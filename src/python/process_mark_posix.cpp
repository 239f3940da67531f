#include "python/process_mark.hpp"

#include <unistd.h>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

process_mark::process_mark() noexcept : process_(::getpid()) {}

bool process_mark::is_current() const noexcept {
    return process_ == ::getpid();
}

void process_mark::leave(int status) noexcept {
    ::_exit(status);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
