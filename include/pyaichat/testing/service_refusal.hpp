#pragma once
#include <pyaichat/core/json.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The error response of an emulated service.
struct service_refusal {
    int status = 400;
    json body = {};  ///< in the form of the service; all have `error.message`

    /// Returns `error.message` of the body.
    [[nodiscard]] std::string message() const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
