#include "net/tcp_socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

std::string system_reason(int error) {
    std::string text = std::error_code(error, std::generic_category()).message();
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    }
    return text;
}

failure not_connected(int error) {
    return {.code = errc::connection_failed, .message = system_reason(error)};
}

// Descriptors are non-blocking and not inherited by child processes.
#if defined(SOCK_CLOEXEC) && defined(SOCK_NONBLOCK)
int open_socket(int family) noexcept {
    return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}
#else
int open_socket(int family) noexcept {
    const int descriptor = ::socket(family, SOCK_STREAM, 0);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
}
#endif

#if defined(MSG_NOSIGNAL)
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;  // see SO_NOSIGPIPE
#endif

/// Repeats a call that a signal has interrupted.
template <class Call>
ssize_t uninterrupted(Call call) noexcept {
    ssize_t count = 0;
    do {
        count = call();
    } while (count < 0 && errno == EINTR);
    return count;
}

bool is_blocked() noexcept {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

iovec bytes_of(std::string_view text) noexcept {
    return {const_cast<char*>(text.data()), text.size()};  // sendmsg does not write to it; its interface has no const
}

}  // namespace

result<std::unique_ptr<tcp_socket>> tcp_socket::connect(reactor& loop, const std::string& address, int port, socket_user& user) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    addrinfo* raw = nullptr;
    if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &raw) != 0) {
        return failure{.code = errc::connection_failed, .message = "not a numeric address"};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> target(raw, &::freeaddrinfo);
    const int descriptor = open_socket(target->ai_family);
    if (descriptor < 0) {
        return not_connected(errno);
    }
    std::unique_ptr<tcp_socket> socket(new tcp_socket(loop, descriptor, user));
    const int yes = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#if defined(SO_NOSIGPIPE)
    ::setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    if (::connect(descriptor, target->ai_addr, target->ai_addrlen) != 0 && errno != EINPROGRESS && errno != EINTR) {
        return not_connected(errno);
    }
    if (!loop.add(descriptor, *socket)) {
        return not_connected(errno);
    }
    return socket;
}

tcp_socket::~tcp_socket() {
    loop_.remove(descriptor_, *this);
    ::shutdown(descriptor_, SHUT_RDWR);  // ends the connection even if a forked process holds a copy
    ::close(descriptor_);
}

std::string tcp_socket::connect_failure() const {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? std::string() : system_reason(error);
}

std::ptrdiff_t tcp_socket::receive(char* to, std::size_t size) noexcept {
    const ssize_t count = uninterrupted([&] { return ::recv(descriptor_, to, size, 0); });
    if (count < 0) {
        if (!is_blocked()) {
            return broken;
        }
        readable = false;
        return would_block;
    }
    // The socket is empty now, and the poller reports what arrives later. After a hang-up it may report nothing more.
    readable = hung_up || static_cast<std::size_t>(count) == size;
    return count;
}

std::ptrdiff_t tcp_socket::send(std::string_view first, std::string_view second) noexcept {
    iovec parts[2] = {bytes_of(first), bytes_of(second)};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = second.empty() ? 1 : 2;
    const ssize_t count = uninterrupted([&] { return ::sendmsg(descriptor_, &message, no_signal); });
    if (count < 0) {
        if (!is_blocked()) {
            return broken;
        }
        writable = false;
        return would_block;
    }
    writable = static_cast<std::size_t>(count) == first.size() + second.size();
    return count;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
