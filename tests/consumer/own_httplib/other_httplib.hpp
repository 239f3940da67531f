#pragma once
/// Stands for a cpp-httplib of another version: the names of the library with other members, so that a library that took these functions
/// for its own would break.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace httplib {

enum class Error { Success };

class Stream {
public:
    virtual ~Stream() = default;
    virtual long read(char* to, std::size_t size) = 0;
    virtual long write(const char* from, std::size_t size) = 0;
};

struct Request {
    char only_member = 0;
};

struct Response {
    int status = -1;
};

class ClientImpl {
public:
    explicit ClientImpl(int port) : port_(port) {}
    virtual ~ClientImpl() = default;

    virtual bool process_request(Stream& stream, Request& request, Response& response, bool close_connection, Error& error);
    bool send(Request& request, Response& response, Error& error);

private:
    int port_;
};

}  // namespace httplib
