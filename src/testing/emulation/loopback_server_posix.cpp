#include "testing/emulation/loopback_request_reader.hpp"
#include "testing/emulation/loopback_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t blank_block_size = std::size_t{1} << 18;

struct connection {
    int descriptor = -1;  ///< -1 after it was closed
    int number = 0;
    bool finished = false;
    std::thread thread;
};

}  // namespace

struct loopback_server::state {
    handler handle;
    int listener = -1;
    int port = 0;
    std::thread acceptor;

    mutable std::mutex mutex;
    std::condition_variable stopped;
    bool stopping = false;
    int accepted = 0;
    std::list<connection> connections;

    void listen(int requested_port) {
        listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (requested_port != 0) {
            const int yes = 1;  // connections of an earlier server on this port may be in TIME_WAIT
            ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        }
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(requested_port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (listener >= 0 && ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && ::listen(listener, 128) == 0 &&
            ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
            port = ntohs(address.sin_port);
        }
    }

    void accept_all() {
        for (;;) {
            const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            const std::lock_guard lock(mutex);
            if (stopping) {
                if (descriptor >= 0) {
                    ::close(descriptor);
                }
                return;
            }
            connections.remove_if([](connection& peer) {
                if (peer.finished) {
                    peer.thread.join();
                }
                return peer.finished;
            });
            if (descriptor < 0) {
                continue;
            }
            const int yes = 1;
            ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            connection& peer = connections.emplace_back();
            peer.descriptor = descriptor;
            peer.number = ++accepted;
            peer.thread = std::thread([this, &peer] { serve(peer); });
        }
    }

    /// Waits for bytes and passes them to the reader. Returns false if the peer closes.
    bool receive(int descriptor, loopback_request_reader& reader) const {
        char bytes[16384];
        ssize_t count = 0;
        do {
            count = ::recv(descriptor, bytes, sizeof bytes, 0);
        } while (count < 0 && errno == EINTR);
        reader.append(std::string_view(bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0))));
        return count > 0;
    }

    std::optional<loopback_request> read(connection& peer, loopback_request_reader& reader) const {
        using progress = loopback_request_reader::progress;
        for (;;) {
            switch (reader.advance()) {
                case progress::complete: return reader.take();
                case progress::invalid: (void)send(peer, http_message(400, {{"Connection", "close"}}, "")); return std::nullopt;
                case progress::expects_permission:
                    if (!send(peer, "HTTP/1.1 100 Continue\r\n\r\n")) {
                        return std::nullopt;
                    }
                    break;
                case progress::incomplete:
                    if (!receive(peer.descriptor, reader)) {
                        return std::nullopt;
                    }
                    break;
            }
        }
    }

    bool send(connection& peer, std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t count = ::send(peer.descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    bool pause(duration span) {
        std::unique_lock lock(mutex);
        return !stopped.wait_for(lock, span, [this] { return stopping; });
    }

    bool send_reply(connection& peer, const loopback_reply& reply) {
        bool first = true;
        const auto write = [&](std::string_view bytes) {
            while (!bytes.empty()) {
                const std::string_view part = reply.piece == 0 ? bytes : bytes.substr(0, reply.piece);
                bytes.remove_prefix(part.size());
                if ((!first && reply.pause > duration::zero() && !pause(reply.pause)) || !send(peer, part)) {
                    return false;
                }
                first = false;
            }
            return true;
        };
        if (!write(reply.bytes)) {
            return false;
        }
        for (const loopback_write& next : reply.rest) {
            if (!write(next.bytes)) {
                return false;
            }
            const std::string blanks(std::min(next.blanks, blank_block_size), ' ');
            for (std::size_t left = next.blanks; left > 0; left -= std::min(left, blanks.size())) {
                if (!write(std::string_view(blanks).substr(0, left))) {
                    return false;
                }
            }
        }
        return true;
    }

    void wait_for_end(connection& peer) {
        char byte = 0;
        ssize_t count = 0;
        do {
            count = ::recv(peer.descriptor, &byte, 1, 0);  // returns when the peer closes or the destructor shuts the socket down
        } while (count > 0 || (count < 0 && errno == EINTR));
    }

    void close(connection& peer, bool hard) {
        if (hard) {
            const linger at_once = {1, 0};
            ::setsockopt(peer.descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        }
        const std::lock_guard lock(mutex);
        ::close(std::exchange(peer.descriptor, -1));
    }

    void serve(connection& peer) {
        loopback_request_reader reader;
        bool hard = false;
        for (bool open = true; open;) {
            std::optional<loopback_request> request = read(peer, reader);
            if (!request) {
                break;
            }
            request->connection = peer.number;
            loopback_reply reply = handle(*request);
            adapt_reply(reply, *request);
            if (reply.delay > duration::zero() && !pause(reply.delay)) {
                break;
            }
            open = send_reply(peer, reply);
            if (reply.then == loopback_reply::ending::hang) {
                wait_for_end(peer);
            }
            hard = reply.then == loopback_reply::ending::reset;
            open = open && reply.then == loopback_reply::ending::keep;
        }
        close(peer, hard);
        const std::lock_guard lock(mutex);
        peer.finished = true;
    }
};

loopback_server::loopback_server(handler handle, int port) : state_(std::make_unique<state>()) {
    state_->handle = std::move(handle);
    // The server's threads inherit this mask: they must not take the host's signals.
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    state_->listen(port);
    if (state_->port != 0) {
        state_->acceptor = std::thread([this] { state_->accept_all(); });
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

loopback_server::~loopback_server() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
        state_->stopped.notify_all();
        for (const connection& peer : state_->connections) {
            if (peer.descriptor >= 0) {
                ::shutdown(peer.descriptor, SHUT_RDWR);
            }
        }
    }
    if (state_->listener >= 0) {
        ::shutdown(state_->listener, SHUT_RDWR);  // wakes accept
    }
    if (state_->acceptor.joinable()) {
        state_->acceptor.join();
    }
    for (connection& peer : state_->connections) {
        peer.thread.join();
    }
    if (state_->listener >= 0) {
        ::close(state_->listener);
    }
}

int loopback_server::port() const noexcept {
    return state_->port;
}

int loopback_server::connections() const {
    const std::lock_guard lock(state_->mutex);
    return state_->accepted;
}

int loopback_server::open_connections() const {
    const std::lock_guard lock(state_->mutex);
    return static_cast<int>(
        std::count_if(state_->connections.begin(), state_->connections.end(), [](const connection& peer) { return peer.descriptor >= 0; }));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
