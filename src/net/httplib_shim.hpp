#pragma once
/// cpp-httplib, for the one source file that may include it.
///
/// Debian ships it compiled: a split header and a shared library, whose macros come from pkg-config. Elsewhere it is header-only; then its
/// namespace is renamed, because a host that brings its own copy, built with other macros, would share symbols of another layout with ours.
#include <pyaichat/config/config.hpp>
#if defined(PYAICHAT_HTTPLIB_HEADER_ONLY)
    #define httplib pyaichat_private_httplib
#endif

#if defined(__clang__)
    #pragma clang diagnostic push
    #pragma clang diagnostic ignored "-Weverything"
#endif
#include <httplib.h>
#if defined(__clang__)
    #pragma clang diagnostic pop
#endif

#if !defined(CPPHTTPLIB_OPENSSL_SUPPORT)
    #error "cpp-httplib has to be built with OpenSSL support"
#endif

namespace pyaichat::inline PYAICHAT_ABI::net {

/// What the library can decode by itself.
inline const char* accepted_encodings() {
#if defined(CPPHTTPLIB_ZLIB_SUPPORT)
    return "gzip, deflate";
#else
    return "identity";
#endif
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
