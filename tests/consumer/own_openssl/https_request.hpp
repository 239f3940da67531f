#pragma once
#include <pyaichat/net/https.hpp>

#include <chrono>
#include <cstdio>
#include <string>

/// Makes an HTTPS request to a port of this machine. Returns the status, or -1.
inline int https_request(int port, const char* ca_file) {
    pyaichat::net::https_transport transport({.ca_file = ca_file, .proxy = ""});
    pyaichat::http_request request;
    request.method = "GET";
    request.url = "https://127.0.0.1:" + std::to_string(port) + "/";
    request.timeout = std::chrono::seconds(5);
    const auto outcome = transport.send(request, {});
    if (!outcome) {
        std::printf("%s: %s\n", std::string(to_string(outcome.error().code)).c_str(), outcome.error().message.c_str());
    }
    return outcome ? outcome->status : -1;
}
