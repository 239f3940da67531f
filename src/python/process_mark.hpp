#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Remembers the process that it was made in: code may fork.
class process_mark {
public:
    process_mark() noexcept;
    [[nodiscard]] bool is_here() const noexcept;
    /// Ends the process at once: no destructors, no handlers.
    [[noreturn]] static void leave(int status) noexcept;

private:
    long process_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
