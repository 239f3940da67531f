#include "other_httplib.hpp"

#include "host_request.hpp"

#include <cstdint>

namespace {

class socket_stream : public httplib::Stream {
public:
    explicit socket_stream(int descriptor) : descriptor_(descriptor) {}
    long read(char* to, std::size_t size) override { return ::recv(descriptor_, to, size, 0); }
    long write(const char* from, std::size_t size) override { return ::send(descriptor_, from, size, MSG_NOSIGNAL); }

private:
    int descriptor_;
};

}  // namespace

namespace httplib {

bool ClientImpl::process_request(Stream& stream, Request&, Response& response, bool, Error& error) {
    const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    std::string head(12, '\0');
    error = Error::Success;
    const bool exchanged = stream.write(request.data(), request.size()) == static_cast<long>(request.size()) &&
                           stream.read(head.data(), head.size()) == static_cast<long>(head.size());
    response.status = exchanged ? std::atoi(head.c_str() + 9) : -1;
    return exchanged;
}

bool ClientImpl::send(Request& request, Response& response, Error& error) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    socket_stream stream(descriptor);
    const bool sent = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                      process_request(stream, request, response, true, error);
    ::close(descriptor);
    return sent;
}

}  // namespace httplib

int host_request(int port) {
    httplib::ClientImpl client(port);
    httplib::Request request;
    httplib::Response response;
    httplib::Error error = httplib::Error::Success;
    return client.send(request, response, error) ? response.status : -1;
}
