#pragma once
/// Includes cpp-httplib.
///
/// Debian ships a compiled library, with macros from pkg-config. Elsewhere cpp-httplib is header-only; then its namespace is renamed,
/// because a host may contain a copy that was built with other macros and has the same symbols with another layout.
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

/// The `Accept-Encoding` that httplib can decode.
inline const char* accepted_encodings() {
#if defined(CPPHTTPLIB_ZLIB_SUPPORT)
    return "gzip, deflate";
#else
    return "identity";
#endif
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
