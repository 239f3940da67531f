#pragma once
/// cpp-httplib, for the one source file that may include it.
///
/// Debian ships it compiled: a split header and a shared library, whose macros come from pkg-config. Elsewhere it is header-only; then its
/// namespace is renamed, because a host that brings its own copy, built with other macros, would share symbols of another layout with ours.
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

namespace pyaichat::inline v0::net {

/// What the library can decode by itself. (0.11 asks for nothing when the body goes to a receiver, later versions do.)
inline const char* accepted_encodings() {
#if defined(CPPHTTPLIB_ZLIB_SUPPORT)
    return "gzip, deflate";
#else
    return "identity";
#endif
}

/// Why the certificate was refused. `get_openssl_verify_result` was declared deprecated later; it is there in 0.11 to 0.18.
inline long verify_result(const httplib::SSLClient& client) {
    return client.get_openssl_verify_result();
}

/// `ConnectionTimeout` came with 0.11.2; before, it was a `Connection` error.
inline bool is_connect_error(httplib::Error error) {
    return error == httplib::Error::Connection || error == httplib::Error::ConnectionTimeout || error == httplib::Error::BindIPAddress;
}

/// Later versions have an error of its own for a certificate that names another host.
inline bool is_certificate_error(httplib::Error error) {
    return error == httplib::Error::SSLServerVerification || httplib::to_string(error) == "SSLServerHostnameVerification";
}

}  // namespace pyaichat::inline v0::net
