#include <pyaichat/message/capability_spec.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(effects value) noexcept {
    switch (value) {
        case effects::read: return "read";
        case effects::idempotent: return "idempotent";
        case effects::once: return "once";
    }
    return "unknown";
}

std::string_view to_string(provenance value) noexcept {
    switch (value) {
        case provenance::host: return "host";
        case provenance::file: return "file";
        case provenance::server: return "server";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
