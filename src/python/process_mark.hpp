#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Remembers the process in which it was created, to detect a fork.
class process_mark {
public:
    process_mark() noexcept;
    [[nodiscard]] bool is_current() const noexcept;
    /// Ends the process at once, without destructors and exit handlers.
    [[noreturn]] static void leave(int status) noexcept;

private:
    long process_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
