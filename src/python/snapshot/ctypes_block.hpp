#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Makes all function objects of `ctypes`, also those that the code already has, raise PermissionError when they are called: they cause no
/// audit event. Cannot be undone, so only for a forked child. With the GIL held. Leaves no Python error set.
void refuse_ctypes_calls();

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
