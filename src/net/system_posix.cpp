#include "net/system.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <system_error>

namespace pyaichat::inline v0::net {

namespace {

using address_list = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

address_list numeric(const std::string& address, const char* port) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), port, &hints, &found) != 0) {
        found = nullptr;
    }
    return {found, &::freeaddrinfo};
}

std::string error_text(int error) {
    std::string text = std::error_code(error, std::generic_category()).message();
    std::transform(text.begin(), text.begin() + (text.empty() ? 0 : 1), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

int milliseconds(duration span) {
    return static_cast<int>(std::clamp<std::int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(span).count(), 0, 60'000));
}

}  // namespace

result<std::vector<std::string>> lookup_addresses(const std::string& host) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* raw = nullptr;
    int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &raw);
    if (error != 0) {
        hints.ai_flags = 0;  // a machine with nothing but loopback has no configured family
        error = ::getaddrinfo(host.c_str(), nullptr, &hints, &raw);
    }
    if (error != 0) {
        return failure{.code = errc::connection_failed,
                       .message = "the name " + host + " could not be resolved: " + ::gai_strerror(error),
                       .hint = "The service could not be reached (the name " + host + " was not found)."};
    }
    const address_list found(raw, &::freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
        char text[NI_MAXHOST] = {};
        if (::getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0 &&
            std::find(addresses.begin(), addresses.end(), text) == addresses.end()) {
            addresses.emplace_back(text);
        }
    }
    if (addresses.empty()) {
        return failure{.code = errc::connection_failed,
                       .message = "the name " + host + " has no address",
                       .hint = "The service could not be reached (the name " + host + " has no address)."};
    }
    return addresses;
}

bool is_numeric_address(const std::string& host) {
    return numeric(host, "0") != nullptr;
}

std::string why_unreachable(const std::string& address, int port, duration patience) {
    const address_list target = numeric(address, std::to_string(port).c_str());
    if (target == nullptr) {
        return "not an address";
    }
    const int probe = ::socket(target->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) {
        return error_text(errno);
    }
    int error = ::connect(probe, target->ai_addr, target->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        pollfd waiting = {probe, POLLOUT, 0};
        error = 0;
        if (::poll(&waiting, 1, milliseconds(patience)) == 1) {
            socklen_t size = sizeof error;
            ::getsockopt(probe, SOL_SOCKET, SO_ERROR, &error, &size);
        }
    }
    ::close(probe);
    return error == 0 ? std::string() : error_text(error);
}

void without_sigpipe(const std::function<void()>& body) {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);

    body();

    if (!was_pending) {  // one that was pending before is somebody else's
        const timespec at_once = {};
        while (sigtimedwait(&pipe_only, nullptr, &at_once) == -1 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

result<std::thread> start_quiet_thread(std::function<void()> body) {
    // Blocked before the start, because the new thread inherits the mask: there is no moment in which it could take a signal.
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result<std::thread> started = guarded([&]() -> result<std::thread> { return std::thread(std::move(body)); },
                                          [](std::string_view text) -> result<std::thread> {
                                              return failure{.code = errc::internal,
                                                             .message = "no thread could be started: " + std::string(text),
                                                             .hint = "End some of the work that runs at the same time."};
                                          });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

socket_handle::~socket_handle() {
    close();
}

void socket_handle::adopt(int socket) noexcept {
    const std::lock_guard lock(mutex_);
    close();
    descriptor_ = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (cut_ || descriptor_ < 0) {
        ::shutdown(socket, SHUT_RDWR);  // a connection that could not be ended from outside must not begin
    }
}

void socket_handle::cut() noexcept {
    const std::lock_guard lock(mutex_);
    cut_ = true;
    if (descriptor_ >= 0) {
        ::shutdown(descriptor_, SHUT_RDWR);
    }
}

bool socket_handle::quiet() const noexcept {
    const std::lock_guard lock(mutex_);
    pollfd state = {descriptor_, POLLIN, 0};
    return descriptor_ >= 0 && !cut_ && ::poll(&state, 1, 0) == 0;
}

void socket_handle::close() noexcept {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        descriptor_ = -1;
    }
}

}  // namespace pyaichat::inline v0::net
