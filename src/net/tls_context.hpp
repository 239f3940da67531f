#pragma once
#include <pyaichat/core/result.hpp>

#include <memory>
#include <string>

struct ssl_ctx_st;

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The TLS configuration of a transport: CA certificates, and TLS 1.2 as the minimum version.
using tls_context = std::shared_ptr<ssl_ctx_st>;

/// Loads the CA certificates. An empty `ca_file` means the system's, as OpenSSL finds them (also by SSL_CERT_FILE and SSL_CERT_DIR).
/// Blocks for up to 100 ms. Fails with `unreachable`.
[[nodiscard]] result<tls_context> load_tls_context(const std::string& ca_file);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
