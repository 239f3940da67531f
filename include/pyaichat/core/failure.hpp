#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// The machine-readable kind of a failure. The loop decides by the code alone, never by the texts.
enum class errc : unsigned char {
    internal,           ///< a bug, or an exception from host code
    invalid_argument,   ///< an argument or option is not valid; the hint says which and why
    invalid_state,      ///< called at the wrong time, or after the object has ended
    name_clash,         ///< two capabilities have the same name
    not_found,          ///< the name or file does not exist
    not_allowed,        ///< forbidden by a policy or by the system
    busy,               ///< in use by something else; try later
    timeout,            ///< the deadline has passed
    cancelled,          ///< cancelled by the owner of the token
    connection_failed,  ///< could not connect, or the connection broke
    unreachable,        ///< cannot be reached in this setup (certificate, CA file, proxy, no HTTP server): a retry does not help
    rate_limited,       ///< refused for now; see `retry_after`
    quota_exhausted,    ///< refused for longer than a run lasts (daily quota, no credit)
    unavailable,        ///< the service reports that it cannot serve requests now
    authentication,     ///< the API key was rejected or is missing
    permission_denied,  ///< the API key is valid but lacks the permission
    unknown_model,      ///< the service does not know the model
    request_rejected,   ///< the service refused the request as invalid
    bad_response,       ///< the response, or another input, could not be parsed
    too_large,          ///< a size or nesting limit was exceeded
    lease_lost,         ///< another owner has taken over a stored run
};

/// Returns the name of the enumerator, such as "rate_limited".
[[nodiscard]] std::string_view to_string(errc code) noexcept;

/// An error as a value. `message` is for the operator's log. `hint` tells the model or the user what to do: write it as an instruction.
struct failure {
    errc code = errc::internal;
    std::string message = {};
    std::string hint = {};
    std::optional<duration> retry_after = {};  ///< how long to wait, if the service said so
};

}  // namespace pyaichat::inline PYAICHAT_ABI
