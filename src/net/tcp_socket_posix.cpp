#include "net/tcp_socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

failure not_connected(int error) {
    std::string text = std::error_code(error, std::generic_category()).message();
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    }
    return {.code = errc::connection_failed, .message = std::move(text)};
}

// Descriptors are non-blocking and not inherited by child processes.
#if defined(SOCK_CLOEXEC) && defined(SOCK_NONBLOCK)
int open_socket(int family) noexcept {
    return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

bool open_pipe(int (&ends)[2]) noexcept {
    return ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
}
#else
void make_private(int descriptor) noexcept {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

int open_socket(int family) noexcept {
    const int descriptor = ::socket(family, SOCK_STREAM, 0);
    make_private(descriptor);
    return descriptor;
}

bool open_pipe(int (&ends)[2]) noexcept {
    const bool created = ::pipe(ends) == 0;
    make_private(ends[0]);
    make_private(ends[1]);
    return created;
}
#endif

#if defined(MSG_NOSIGNAL)
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;  // see SO_NOSIGPIPE
#endif

std::ptrdiff_t outcome(ssize_t count) noexcept {
    if (count >= 0) {
        return count;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK ? tcp_socket::would_block : byte_stream::broken;
}

}  // namespace

tcp_socket::tcp_socket() {
    if (!open_pipe(wake_)) {
        wake_[0] = wake_[1] = -1;  // connect() reports the failure
    }
}

tcp_socket::~tcp_socket() {
    close();
    for (const int end : wake_) {
        if (end >= 0) {
            ::close(end);
        }
    }
}

void tcp_socket::close() noexcept {
    if (descriptor_ >= 0) {
        ::shutdown(descriptor_, SHUT_RDWR);  // ends the connection even if a forked process holds a copy
        ::close(std::exchange(descriptor_, -1));
    }
}

result<void> tcp_socket::start_connect(const std::string& address, int port) {
    close();
    if (wake_[0] < 0) {
        return not_connected(EMFILE);
    }
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    addrinfo* raw = nullptr;
    if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &raw) != 0) {
        return failure{.code = errc::connection_failed, .message = "not a numeric address"};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> target(raw, &::freeaddrinfo);
    descriptor_ = open_socket(target->ai_family);
    if (descriptor_ < 0) {
        return not_connected(errno);
    }
    const int yes = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#if defined(SO_NOSIGPIPE)
    ::setsockopt(descriptor_, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    if (::connect(descriptor_, target->ai_addr, target->ai_addrlen) != 0 && errno != EINPROGRESS && errno != EINTR) {
        return not_connected(errno);
    }
    return {};
}

result<void> tcp_socket::connect(const std::string& address, int port, time_point deadline) {
    if (result<void> started = start_connect(address, port); !started) {
        close();
        return started;
    }
    int error = ETIMEDOUT;
    if (wait(readiness::to_send, deadline)) {
        socklen_t size = sizeof error;
        ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0) {
        close();
        return not_connected(error);
    }
    return {};
}

bool tcp_socket::in_time() const noexcept {
    return !interrupted_ && std::chrono::steady_clock::now() < deadline_;
}

bool tcp_socket::wait(readiness what, time_point deadline) noexcept {
    for (;;) {
        const auto left = deadline - std::chrono::steady_clock::now();
        if (interrupted_ || left <= left.zero()) {
            return false;
        }
        const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::min<decltype(left)>(left, std::chrono::minutes(1)));
        const short events = what == readiness::to_receive ? POLLIN : POLLOUT;
        pollfd both[2] = {{descriptor_, events, 0}, {wake_[0], POLLIN, 0}};
        const int ready = ::poll(both, 2, static_cast<int>(milliseconds.count()));
        if (ready < 0 && errno != EINTR) {
            return false;
        }
        if (ready > 0 && both[1].revents == 0) {
            return true;
        }
    }
}

std::ptrdiff_t tcp_socket::try_receive(char* to, std::size_t size) noexcept {
    ssize_t count = 0;
    do {
        count = ::recv(descriptor_, to, size, 0);
    } while (count < 0 && errno == EINTR);
    return outcome(count);
}

std::ptrdiff_t tcp_socket::try_send(const char* from, std::size_t size) noexcept {
    ssize_t count = 0;
    do {
        count = ::send(descriptor_, from, size, no_signal);
    } while (count < 0 && errno == EINTR);
    return outcome(count);
}

std::ptrdiff_t tcp_socket::receive(char* to, std::size_t size) {
    while (in_time()) {
        const std::ptrdiff_t count = try_receive(to, size);
        if (count != would_block) {
            return count;
        }
        if (!wait(readiness::to_receive)) {
            break;
        }
    }
    return broken;
}

bool tcp_socket::send(std::string_view bytes) {
    while (!bytes.empty()) {
        if (!in_time()) {
            return false;
        }
        const std::ptrdiff_t count = try_send(bytes.data(), bytes.size());
        if (count >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (count == broken || !wait(readiness::to_send)) {
            return false;
        }
    }
    return true;
}

void tcp_socket::interrupt() noexcept {
    if (!interrupted_.exchange(true)) {
        const int saved = errno;
        static_cast<void>(::write(wake_[1], "x", 1) == 1);  // an empty pipe has room for it
        errno = saved;
    }
}

bool tcp_socket::idle() {
    pollfd state = {descriptor_, POLLIN, 0};
    return descriptor_ >= 0 && !interrupted_ && ::poll(&state, 1, 0) == 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
