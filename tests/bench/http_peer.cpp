#include "http_peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace {

sockaddr_in loopback(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<in_port_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void no_delay(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// The length of the message that `bytes` begin with: known by its head, or by the last chunk. `npos` if it is not known yet.
std::size_t message_length(const std::string& bytes) {
    const std::size_t head = bytes.find("\r\n\r\n");
    if (head == std::string::npos) {
        return std::string::npos;
    }
    constexpr std::string_view last_chunk = "\r\n0\r\n\r\n";
    if (bytes.find("Transfer-Encoding: chunked") < head) {
        const std::size_t last = bytes.find(last_chunk, head);
        return last == std::string::npos ? last : last + last_chunk.size();
    }
    constexpr std::string_view name = "Content-Length: ";
    const std::size_t at = bytes.find(name);
    return head + 4 + (at < head ? std::strtoul(bytes.c_str() + at + name.size(), nullptr, 10) : 0);
}

/// Reads until `pending` begins with a whole message, and takes that off; empty when the peer has gone.
std::string read_message(int socket, std::string& pending) {
    for (;;) {
        if (const std::size_t whole = message_length(pending); whole != std::string::npos && pending.size() >= whole) {
            std::string message = pending.substr(0, whole);
            pending.erase(0, whole);
            return message;
        }
        char piece[16384];
        const ssize_t got = ::recv(socket, piece, sizeof piece, 0);
        if (got <= 0) {
            return {};
        }
        pending.append(piece, static_cast<std::size_t>(got));
    }
}

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

[[noreturn]] void serve(int listener, const std::vector<std::string>& messages) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        const int connection = ::accept(listener, nullptr, nullptr);
        no_delay(connection);
        std::string pending;
        for (std::size_t next = 0; !read_message(connection, pending).empty(); ++next) {
            if (!send_all(connection, messages[next % messages.size()])) {
                break;
            }
        }
        ::close(connection);
    }
}

}  // namespace

bench::http_peer::http_peer(const std::vector<std::string>& bodies) {
    std::vector<std::string> messages;
    for (const std::string& body : bodies) {
        messages.push_back("HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nServer: scaffolding\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 8) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        ::close(listener);
        return;
    }
    port_ = ntohs(address.sin_port);
    process_ = ::fork();
    if (process_ == 0) {
        serve(listener, messages);
    }
    ::close(listener);
}

bench::http_peer::~http_peer() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
}

bench::bare_socket::bare_socket(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = loopback(port);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(socket_);
        socket_ = -1;
        return;
    }
    no_delay(socket_);
}

bench::bare_socket::~bare_socket() {
    if (socket_ >= 0) {
        ::close(socket_);
    }
}

std::string bench::bare_socket::exchange(const std::string& request) {
    std::string pending;
    return send_all(socket_, request) ? read_message(socket_, pending) : std::string();
}
