#pragma once
#include <pyaichat/core/result.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Fails with `not_allowed` if the running Python is of another minor version than the one that the SDK was compiled for: its structures
/// differ. Both are a `PY_VERSION_HEX`.
[[nodiscard]] result<void> check_python_version(std::uint32_t running, std::uint32_t compiled_for);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
