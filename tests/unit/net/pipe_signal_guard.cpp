#include <pyaichat/net/adapter/pipe_signal_guard.hpp>

#include "catch.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace adapter = pyaichat::net::adapter;

namespace {

bool blocks(int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, signal) == 1;
}

}  // namespace

TEST_CASE("a write to a closed connection under the guard ends neither the process nor leaves a signal") {
    int pair[2] = {};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    ::close(pair[1]);
    {
        const adapter::pipe_signal_guard guard;
        CHECK(::write(pair[0], "x", 1) == -1);  // would end the process otherwise
        sigset_t pending;
        sigpending(&pending);
        CHECK(sigismember(&pending, SIGPIPE) == 1);
    }
    CHECK_FALSE(blocks(SIGPIPE));
    ::close(pair[0]);
}
