#include <pyaichat/net/adapter/socket_watch.hpp>

#include "catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>

namespace ai = pyaichat;
namespace adapter = pyaichat::net::adapter;
using namespace std::chrono_literals;

namespace socket_watch_tests {

namespace {

struct connected {
    std::array<int, 2> ends = {-1, -1};
    connected() { static_cast<void>(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data())); }
    connected(const connected&) = delete;
    connected& operator=(const connected&) = delete;
    ~connected() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    /// Blocks until the connection ends. Returns what `recv` returns.
    [[nodiscard]] long read_to_end() const {
        char byte = 0;
        return ::recv(ends[0], &byte, 1, 0);
    }
};

}  // namespace

TEST_CASE("the copy of a socket is idle while the connection is open and has no unread bytes") {
    connected pair;
    adapter::socket_copy copy;
    CHECK_FALSE(copy.idle());
    copy.follow(pair.ends[0]);
    CHECK(copy.idle());
    CHECK(::send(pair.ends[1], "x", 1, MSG_NOSIGNAL) == 1);
    CHECK_FALSE(copy.idle());
    connected other;
    copy.follow(other.ends[0]);
    CHECK(copy.idle());
    ::shutdown(other.ends[1], SHUT_RDWR);
    CHECK_FALSE(copy.idle());
}

TEST_CASE("the watch ends a blocking read at the deadline and at a cancellation") {
    adapter::socket_watch watch;
    REQUIRE(watch.start());
    {
        const connected pair;
        adapter::socket_copy copy;
        copy.follow(pair.ends[0]);
        const adapter::socket_watch::guard guard(watch, copy, std::chrono::steady_clock::now() + 20ms, {});
        CHECK(pair.read_to_end() == 0);
    }
    const connected pair;
    adapter::socket_copy copy;
    copy.follow(pair.ends[0]);
    ai::cancel_source stop;
    const adapter::socket_watch::guard guard(watch, copy, std::chrono::steady_clock::now() + 1h, stop.get_token());
    stop.request_stop();
    CHECK(pair.read_to_end() == 0);
}

TEST_CASE("the watch ends the read of a socket that the library opens after the cancellation") {
    adapter::socket_watch watch;
    REQUIRE(watch.start());
    const connected pair;
    adapter::socket_copy copy;
    ai::cancel_source stop;
    stop.request_stop();
    const adapter::socket_watch::guard guard(watch, copy, std::chrono::steady_clock::now() + 1h, stop.get_token());
    copy.follow(pair.ends[0]);
    CHECK(pair.read_to_end() == 0);
}

}  // namespace socket_watch_tests
