#include "raw_server.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace {

sockaddr_in loopback(int port, const char* host = "127.0.0.1") {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, host, &address.sin_addr);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

std::pair<int, int> listener_and_port(int backlog, sockaddr_in address = loopback(0)) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof address;
    ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener, backlog);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    return {listener, ntohs(address.sin_port)};
}

}  // namespace

raw_server::raw_server(handler handle) : handle_(std::move(handle)) {
    std::tie(listener_, port_) = listener_and_port(128);
    acceptor_ = std::move(*pyaichat::detail::start_quiet_thread([this] { accept_all(); }));
}

void raw_server::accept_all() {
    for (;;) {
        const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const std::lock_guard lock(mutex_);
        if (descriptor < 0 || stopping_) {
            ::close(descriptor);
            return;
        }
        ++accepted_;
        open_.push_back(descriptor);
        threads_.emplace_back([this, descriptor] {
            handle_(descriptor);
            const std::lock_guard own(mutex_);
            std::erase(open_, descriptor);
            ::close(descriptor);
        });
    }
}

raw_server::~raw_server() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const int descriptor : open_) {
            ::shutdown(descriptor, SHUT_RDWR);
        }
    }
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (std::thread& one : threads_) {
        one.join();
    }
    ::close(listener_);
}

deaf_listener::deaf_listener(const char* host, int wanted_port) {
    const auto [listener, port] = listener_and_port(0, loopback(wanted_port, host));
    descriptors_.push_back(listener);
    port_ = port;
    const sockaddr_in address = loopback(port, host);
    for (int i = 0; i < 4; ++i) {
        descriptors_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        ::connect(descriptors_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
}

deaf_listener::~deaf_listener() {
    for (const int descriptor : descriptors_) {
        ::close(descriptor);
    }
}

std::string read_head(int descriptor) {
    std::string head;
    for (char byte = 0; ::recv(descriptor, &byte, 1, 0) == 1;) {
        head += byte;
        if (head.ends_with("\r\n\r\n")) {
            return head;
        }
    }
    return {};
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void tunnel(int descriptor, int port) {
    const int target = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    bool open = ::connect(target, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    while (open) {
        pollfd both[2] = {{descriptor, POLLIN, 0}, {target, POLLIN, 0}};
        ::poll(both, 2, -1);
        for (int i = 0; open && i < 2; ++i) {
            if (both[i].revents != 0) {
                char bytes[16384];
                const ssize_t count = ::recv(both[i].fd, bytes, sizeof bytes, 0);
                open = count > 0 && write_all(both[1 - i].fd, {bytes, static_cast<std::size_t>(count)});
            }
        }
    }
    ::close(target);
}
