#include "crowd_server.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>

#include "raw_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

crowd_server::crowd_server(std::string response) : response_(std::move(response)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 4096);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    static_cast<void>(::pipe2(wake_, O_CLOEXEC) == 0);
    thread_ = std::move(*pyaichat::detail::start_quiet_thread([this] { serve(); }));
}

void crowd_server::answer() {
    static_cast<void>(::write(wake_[1], "x", 1) == 1);
}

void crowd_server::serve() {
    const int poller = ::epoll_create1(EPOLL_CLOEXEC);
    const auto watch = [&](int descriptor) {
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.fd = descriptor;
        ::epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
    };
    watch(listener_);
    watch(wake_[0]);
    std::vector<int> clients;
    for (bool open = true; open;) {
        std::array<epoll_event, 64> events;
        const int count = ::epoll_wait(poller, events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
            if (descriptor == listener_) {
                for (int client = 0; (client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
                    clients.push_back(client);
                    watch(client);
                }
            } else if (descriptor == wake_[0]) {
                char what = 0;
                open = ::read(wake_[0], &what, 1) == 1 && what == 'x';
                for (const int client : clients) {
                    write_all(client, response_);
                }
            } else {
                // A request comes in one piece here: it is small, and sent with its head.
                char bytes[4096];
                waiting_ += ::recv(descriptor, bytes, sizeof bytes, 0) > 0 ? 1 : 0;
                ::epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, nullptr);
            }
        }
    }
    for (const int client : clients) {
        ::close(client);
    }
    ::close(poller);
}

crowd_server::~crowd_server() {
    static_cast<void>(::write(wake_[1], "q", 1) == 1);
    thread_.join();
    ::close(listener_);
    ::close(wake_[0]);
    ::close(wake_[1]);
}
