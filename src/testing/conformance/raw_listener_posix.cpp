#include "testing/conformance/raw_listener.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

sockaddr_in on_loopback(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

/// Returns a listening descriptor and its port. The port is 0 if that fails.
std::pair<int, int> listen_on_loopback(int backlog) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = on_loopback(0);
    socklen_t size = sizeof address;
    const bool listens = ::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) == 0 && ::listen(listener, backlog) == 0 &&
                         ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    return {listener, listens ? ntohs(address.sin_port) : 0};
}

}  // namespace

struct raw_listener::state {
    std::size_t wanted = 0;
    behaviour then = behaviour::hangs;
    int listener = -1;
    int port = 0;
    std::array<int, 2> end = {-1, -1};  ///< a pipe; its closing ends the thread
    std::atomic<int> reached = 0;
    std::atomic<int> accepted = 0;
    std::thread thread;

    struct peer {
        int descriptor = -1;
        std::size_t received = 0;
    };

    void serve() {
        std::vector<peer> peers;
        for (;;) {
            std::vector<pollfd> waits = {{end[0], POLLIN, 0}, {listener, POLLIN, 0}};
            for (const peer& each : peers) {
                waits.push_back({each.descriptor, static_cast<short>(each.received < wanted ? POLLIN : 0), 0});
            }
            ::poll(waits.data(), waits.size(), -1);
            if (waits[0].revents != 0) {
                break;
            }
            for (std::size_t index = 0; index < peers.size(); ++index) {
                if (waits[index + 2].revents != 0) {
                    advance(peers[index]);
                }
            }
            std::erase_if(peers, [](const peer& each) { return each.descriptor < 0; });
            if (waits[1].revents != 0) {
                if (const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC); descriptor >= 0) {
                    peers.push_back({descriptor, 0});
                    ++accepted;
                }
            }
        }
        for (const peer& each : peers) {
            ::close(each.descriptor);
        }
    }

    void advance(peer& from) {
        char bytes[1024];
        const ssize_t count =
            from.received < wanted ? ::recv(from.descriptor, bytes, std::min(sizeof bytes, wanted - from.received), 0) : 0;
        if (count <= 0) {
            ::close(std::exchange(from.descriptor, -1));
            return;
        }
        from.received += static_cast<std::size_t>(count);
        if (from.received >= wanted) {
            if (then == behaviour::breaks_writes) {
                ::shutdown(from.descriptor, SHUT_WR);
                ::close(std::exchange(from.descriptor, -1));
            }
            ++reached;
        }
    }
};

raw_listener::raw_listener(std::size_t bytes, behaviour then) : state_(std::make_unique<state>()) {
    state_->wanted = bytes;
    state_->then = then;
    std::tie(state_->listener, state_->port) = listen_on_loopback(128);
    static_cast<void>(::pipe2(state_->end.data(), O_CLOEXEC));
    // The thread inherits this mask: it must not take the host's signals.
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    state_->thread = std::thread([this] { state_->serve(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

raw_listener::~raw_listener() {
    ::close(state_->end[1]);
    state_->thread.join();
    ::close(state_->end[0]);
    ::close(state_->listener);
}

int raw_listener::port() const noexcept {
    return state_->port;
}

int raw_listener::reached() const noexcept {
    return state_->reached;
}

int raw_listener::accepted() const noexcept {
    return state_->accepted;
}

struct deaf_listener::state {
    std::vector<int> descriptors;
    int port = 0;
};

deaf_listener::deaf_listener() : state_(std::make_unique<state>()) {
    const auto [listener, port] = listen_on_loopback(0);
    state_->descriptors.push_back(listener);
    state_->port = port;
    const sockaddr_in address = on_loopback(port);
    constexpr int enough_to_fill_the_queue = 4;
    for (int i = 0; i < enough_to_fill_the_queue; ++i) {
        const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        state_->descriptors.push_back(descriptor);
        if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno != EINPROGRESS) {
            break;
        }
    }
}

deaf_listener::~deaf_listener() {
    for (const int descriptor : state_->descriptors) {
        ::close(descriptor);
    }
}

int deaf_listener::port() const noexcept {
    return state_->port;
}

int unused_port() {
    const auto [listener, port] = listen_on_loopback(1);
    ::close(listener);
    return port;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
