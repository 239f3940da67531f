#include <pyaichat/core/detail/quiet_thread.hpp>

#include "catch.hpp"

#include <csignal>

namespace ai = pyaichat;

TEST_CASE("a quiet thread takes no signals and leaves the starter's mask as it was") {
    bool blocked = false;
    auto thread = ai::detail::start_quiet_thread([&] {
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
