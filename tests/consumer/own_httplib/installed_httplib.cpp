#include "host_request.hpp"

#include <httplib.h>

int host_request(int port) {
    httplib::Client client("127.0.0.1", port);
    const httplib::Result result = client.Get("/");
    return result ? result->status : -1;
}
