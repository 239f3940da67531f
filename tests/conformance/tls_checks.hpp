#pragma once
/// Checks of certificates, which the suite for hosts leaves out: it has no TLS.
#include <pyaichat/policy/any_http_transport.hpp>

#include "catch.hpp"
#include "tls_server.hpp"

#include <functional>
#include <string>

/// Makes a transport that trusts the certificates of a PEM file, or those of the system if it is empty.
using trusting_transport = std::function<pyaichat::any_http_transport(const std::string& ca_file)>;

inline pyaichat::result<pyaichat::http_response> get(const pyaichat::any_http_transport& transport, const std::string& host,
                                                     const tls_server& server) {
    pyaichat::http_request request;
    request.method = "GET";
    request.url = "https://" + host + ":" + std::to_string(server.port()) + "/";
    request.timeout = std::chrono::seconds(10);
    return transport.send(request, {});
}

inline void check_certificates(const trusting_transport& make) {
    {
        const tls_server server;
        const pyaichat::any_http_transport transport = make(server.ca_file());
        for (const char* host : {"127.0.0.1", "localhost"}) {
            const auto outcome = get(transport, host, server);
            INFO(host << ": " << (outcome ? "" : outcome.error().message));
            CHECK(outcome);
        }
        const auto untrusted = get(make(""), "127.0.0.1", server);
        REQUIRE_FALSE(untrusted);
        CHECK(untrusted.error().code == pyaichat::errc::unreachable);
    }
    for (const tls_server_options& wrong : {tls_server_options{.names = "DNS:other.example"}, tls_server_options{.expired = true}}) {
        const tls_server server(wrong);
        for (const char* host : {"127.0.0.1", "localhost"}) {
            const auto refused = get(make(server.ca_file()), host, server);
            REQUIRE_FALSE(refused);
            CHECK(refused.error().code == pyaichat::errc::unreachable);
        }
    }
}
