#pragma once
/// A TLS server on 127.0.0.1 with a self-signed certificate made on the spot, for tests of the transport.
#include <cstddef>
#include <memory>
#include <string>

struct tls_server_options {
    std::string names = "IP:127.0.0.1,DNS:localhost";  ///< subjectAltName
    int highest_version = 0;                           ///< TLS1_1_VERSION, ...; 0 = the library's highest
    bool expired = false;
    bool demands_certificate = false;
    std::size_t cut_after = 0;  ///< close without farewell after so many bytes of the response; 0 = answer whole and keep the connection
};

class tls_server {
public:
    explicit tls_server(tls_server_options options = {});
    ~tls_server();

    [[nodiscard]] int port() const;
    [[nodiscard]] int connections() const;
    /// The number of handshakes that resumed an earlier session.
    [[nodiscard]] int resumed() const;
    /// The number of bytes of requests.
    [[nodiscard]] std::size_t received() const;
    /// The certificate as a PEM file, which goes away with the server.
    [[nodiscard]] std::string ca_file() const;
    /// Closes every connection without farewell.
    void drop_connections();

private:
    struct state;
    std::unique_ptr<state> state_;
};
