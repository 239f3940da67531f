#pragma once
/// What a host calls in a module that contains the SDK and OpenSSL, with all symbols hidden but these.

extern "C" {

/// Starts a TLS server. Returns its port, and writes the path of its certificate.
int start_tls_server(char* ca_file, unsigned long size);
void stop_tls_server();
/// Makes an HTTPS request to the server. Returns the status, or -1.
int request_in_module(int port, const char* ca_file);
}
