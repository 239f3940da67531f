#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// What kind of thing went wrong. The loop decides by the code alone; texts are for readers.
enum class errc : unsigned char {
    internal,           ///< a bug, or something thrown at a seam
    invalid_argument,   ///< a value from outside does not fit; the hint says which and how
    invalid_state,      ///< asked at the wrong time, or of something already gone
    name_clash,         ///< two capabilities of one name
    not_found,          ///< no such name or file
    not_allowed,        ///< a policy forbids it
    busy,               ///< cannot be taken now; something else is running
    timeout,            ///< the time that was given is over
    cancelled,          ///< the token was tripped; only its owner ever sees this
    connection_failed,  ///< no connection, or it broke
    rate_limited,       ///< refused for now; `retry_after` says how long, when the service said so
    quota_exhausted,    ///< refused for longer than a run lasts (a daily quota, no credit)
    unavailable,        ///< the service says that it cannot serve now
    authentication,     ///< the key was rejected or is missing
    permission_denied,  ///< the key is fine and may not do this
    unknown_model,      ///< the service has no such model
    request_rejected,   ///< the service refused the request as malformed
    bad_response,       ///< the service answered with something that cannot be read
    too_large,          ///< more bytes, or deeper, than allowed
};

/// The name as in the enumeration: `rate_limited`.
[[nodiscard]] std::string_view to_string(errc code) noexcept;

/// An error as a value, with two audiences: `message` is for the operator's log, `hint` for whoever has to act (the model, or a person):
/// write it as an instruction.
struct failure {
    errc code = errc::internal;
    std::string message = {};
    std::string hint = {};
    std::optional<duration> retry_after = {};  ///< how long the service asked to wait
};

}  // namespace pyaichat::inline PYAICHAT_ABI
