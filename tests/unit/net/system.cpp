#include "net/system.hpp"

#include "catch.hpp"

#include <csignal>

#include <sys/socket.h>
#include <unistd.h>

namespace net = pyaichat::net;

namespace {

void write_to_closed_pipe() {
    int ends[2] = {-1, -1};
    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    CHECK(::write(ends[1], "x", 1) == -1);
    ::close(ends[1]);
}

bool pipe_signal_pending() {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

TEST_CASE("a SIGPIPE raised inside does not come out") {
    net::without_sigpipe(&write_to_closed_pipe);
    CHECK_FALSE(pipe_signal_pending());
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    CHECK(sigismember(&mask, SIGPIPE) == 0);
}

TEST_CASE("a SIGPIPE that was pending before is left pending") {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    write_to_closed_pipe();
    REQUIRE(pipe_signal_pending());
    net::without_sigpipe([] {});
    CHECK(pipe_signal_pending());
    const timespec at_once = {};
    sigtimedwait(&pipe_only, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a quiet thread takes no signals and leaves the starter's mask as it was") {
    bool blocked = false;
    auto thread = net::start_quiet_thread([&] {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        blocked = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGPIPE) == 1;
    });
    REQUIRE(thread);
    thread->join();
    CHECK(blocked);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    CHECK(sigismember(&mask, SIGINT) == 0);
}

TEST_CASE("a cut handle ends its socket, and one that it adopts later") {
    int ends[2] = {-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    net::socket_handle handle;
    handle.adopt(ends[0]);
    CHECK(handle.quiet());
    handle.cut();
    CHECK_FALSE(handle.quiet());
    char byte = 0;
    CHECK(::recv(ends[1], &byte, 1, 0) == 0);
    int later[2] = {-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, later) == 0);
    handle.adopt(later[0]);
    CHECK(::recv(later[1], &byte, 1, 0) == 0);
    for (const int descriptor : {ends[0], ends[1], later[0], later[1]}) {
        ::close(descriptor);
    }
}

TEST_CASE("addresses are told from names") {
    CHECK(net::is_numeric_address("127.0.0.1"));
    CHECK(net::is_numeric_address("fe80::1"));
    CHECK_FALSE(net::is_numeric_address("localhost"));
}
