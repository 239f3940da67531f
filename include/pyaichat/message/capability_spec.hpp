#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// What running a capability does to the world, for approval and for what may be run again after a crash.
enum class effects : unsigned char {
    read,        ///< looks, changes nothing
    idempotent,  ///< running it twice is as good as once
    once,        ///< must not be repeated
};

[[nodiscard]] std::string_view to_string(effects value) noexcept;

/// Who vouches for a capability. One that the host itself has written is allowed by that act; one from elsewhere that does more than `read`
/// is denied unless an approval policy allows it.
enum class provenance : unsigned char {
    host,    ///< compiled or built in
    file,    ///< a plugin
    server,  ///< another process or machine
};

[[nodiscard]] std::string_view to_string(provenance value) noexcept;

/// The declaration of one capability, as the model sees it and as the loop treats it.
struct capability_spec {
    std::string name = {};         ///< `[A-Za-z_][A-Za-z0-9_-]{0,63}`: what every service takes
    std::string description = {};  ///< for the model; never empty
    json parameters = {};          ///< JSON Schema of the arguments, an object at its root; null = takes none
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::optional<duration> timeout = {};  ///< instead of `limits::call_timeout`
    std::string headline = {};  ///< member of the result that says it in one line; used for "Confirmed so far"; empty = the whole result
    std::string origin = {};    ///< who declares it ("C++", a plugin's file), for messages about clashes
    /// The version of what runs, for sources that can exchange it behind the same declaration, such as a plugin that is loaded again. A
    /// call is run only while this and the rest are what they were when the call was decided.
    std::optional<std::string> revision = {};

    friend bool operator==(const capability_spec&, const capability_spec&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
