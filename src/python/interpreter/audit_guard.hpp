#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What the audit hook refuses.
enum class audit_mode : unsigned char {
    off,
    look,      ///< everything that reaches out of the interpreter: files, sockets, processes, ctypes, imports
    snapshot,  ///< the same, but files and folders may be read, so that modules can be imported
};

/// Installs the audit hook. Call it before Python starts, or with the GIL held in an interpreter that is adopted. Returns false with a
/// Python error set (if Python runs) when it fails.
///
/// Python cannot remove the hook. It refuses with PermissionError. While no guard is active it does nothing.
[[nodiscard]] bool install_audit_hook();

/// Whether the hook is installed, in a running Python and with the GIL held. Leaves no Python error set.
[[nodiscard]] bool has_audit_hook();

/// Applies a mode to the calling thread while it lives.
class audit_guard {
public:
    explicit audit_guard(audit_mode mode) noexcept;
    ~audit_guard();
    audit_guard(const audit_guard&) = delete;
    audit_guard& operator=(const audit_guard&) = delete;

private:
    audit_mode previous_;
};

/// Applies `snapshot` to all threads of this process, also to those that Python starts, for its rest. Only for a forked child.
void audit_whole_process() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
