#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// The side effects of running a capability. They decide whether a call needs approval, and whether it may be repeated after a crash.
enum class effects : unsigned char {
    read,        ///< changes nothing
    idempotent,  ///< a repeated call has no further effect
    once,        ///< a call must not be repeated
};

/// Returns the name of the enumerator, such as "read".
[[nodiscard]] std::string_view to_string(effects value) noexcept;

/// Where a capability comes from. By default, capabilities of the host run, and those from a file run if their effects are `read`. All
/// others need an approval policy that allows them.
enum class provenance : unsigned char {
    host,    ///< the host's own code
    file,    ///< a plugin
    server,  ///< another process or machine
};

/// Returns the name of the enumerator, such as "host".
[[nodiscard]] std::string_view to_string(provenance value) noexcept;

/// The declaration of one capability.
struct capability_spec {
    std::string name = {};         ///< `[A-Za-z_][A-Za-z0-9_-]{0,63}`, which every service accepts
    std::string description = {};  ///< for the model; must not be empty
    json parameters = {};          ///< JSON Schema of the arguments, with an object at its root; null = no arguments
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::optional<duration> timeout = {};  ///< instead of `limits::call_timeout`
    std::string headline = {};             ///< the member of the result that sums it up in "Confirmed so far"; empty = the whole result
    std::string origin = {};               ///< who declares it ("C++", the file of a plugin), for messages
    /// The version of the code, for sources that can replace it without a change of the declaration, such as a plugin that is reloaded. A
    /// call runs only if the whole declaration is the same as when the call was approved.
    std::optional<std::string> revision = {};

    friend bool operator==(const capability_spec&, const capability_spec&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
