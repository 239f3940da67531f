#include "net/fork_mark.hpp"

#include "catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace net = pyaichat::net;

TEST_CASE("a mark is forked in a child process, and not in the process that made it") {
    const net::fork_mark mark;
    CHECK_FALSE(mark.forked());
    const pid_t child = ::fork();
    if (child == 0) {
        const net::fork_mark own;
        ::_exit(mark.forked() && !own.forked() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK_FALSE(mark.forked());
}
