/// A host that defines functions with the names of OpenSSL's, which do something else.
#include "module.hpp"

#if defined(HOST_LINKS_SDK)
    #include "https_request.hpp"
#endif

#include <cstdio>

extern "C" {

int SSL_read(void*, void*, int) {
    return -1;
}
int SSL_write(void*, const void*, int) {
    return -1;
}
int SSL_get_error(const void*, int) {
    return 1;
}
}

int main() {
    char ca_file[4096] = {};
    const int port = start_tls_server(ca_file, sizeof ca_file);
    constexpr int ok = 200;
#if defined(HOST_LINKS_SDK)
    // The SDK in the executable gets the host's functions: the request fails, and the host goes on.
    const bool as_expected = https_request(port, ca_file) == -1;
#else
    const bool as_expected = true;
#endif
    const bool in_module = request_in_module(port, ca_file) == ok;
    stop_tls_server();
    std::printf("%s, %s\n", as_expected ? "as expected" : "not as expected",
                in_module ? "the module is not affected" : "the module is affected");
    return as_expected && in_module ? 0 : 1;
}
