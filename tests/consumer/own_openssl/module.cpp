#include "module.hpp"

#include "https_request.hpp"
#include "tls_server.hpp"

#include <cstdio>
#include <memory>

namespace {

std::unique_ptr<tls_server> running;

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int start_tls_server(char* ca_file, unsigned long size) {
    running = std::make_unique<tls_server>();
    std::snprintf(ca_file, size, "%s", running->ca_file().c_str());
    return running->port();
}

EXPORTED void stop_tls_server() {
    running.reset();
}

EXPORTED int request_in_module(int port, const char* ca_file) {
    return https_request(port, ca_file);
}
