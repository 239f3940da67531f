#pragma once
#include <pyaichat/python/session.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Gives the SDK's own files the state behind the handle of a session.
struct session_access {
    [[nodiscard]] static const std::shared_ptr<session_state>& state(const session& handle) noexcept { return handle.state_; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
