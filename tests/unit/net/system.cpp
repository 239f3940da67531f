#include "net/system.hpp"

#include "catch.hpp"

#include <csignal>

namespace net = pyaichat::net;

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

TEST_CASE("addresses are told from names") {
    CHECK(net::is_numeric_address("127.0.0.1"));
    CHECK(net::is_numeric_address("fe80::1"));
    CHECK_FALSE(net::is_numeric_address("localhost"));
}
