#include "net/reactor.hpp"

#include "net/tcp_socket.hpp"
#include "net/wake_signal.hpp"

#include "catch.hpp"
#include "raw_server.hpp"

#include <poll.h>

#include <future>
#include <optional>
#include <string>

namespace net = pyaichat::net;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

const auto both_backends = {net::poller_kind::best, net::poller_kind::portable};

struct recorder final : net::socket_user {
    int calls = 0;
    std::function<void(net::tcp_socket&)> then = {};
    void socket_ready(net::tcp_socket& socket) override {
        ++calls;
        if (then) {
            then(socket);
        }
    }
};

/// Turns the loop until the condition holds, for five seconds at most.
template <class Condition>
bool turn_until(net::reactor& loop, Condition condition) {
    for (const auto until = steady_clock::now() + 5s; !condition() && steady_clock::now() < until;) {
        loop.turn(steady_clock::now() + 10ms);
    }
    return condition();
}

std::unique_ptr<net::tcp_socket> connected(net::reactor& loop, int port, recorder& user) {
    auto socket = std::move(*net::tcp_socket::connect(loop, "127.0.0.1", port, user));
    REQUIRE(turn_until(loop, [&] { return socket->connect_ended(); }));
    CHECK(socket->connect_failure().empty());
    return socket;
}

}  // namespace

TEST_CASE("bytes go out and come back, and the peer's end is an end") {
    raw_server echo([](int descriptor) { write_all(descriptor, read_head(descriptor)); });
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    recorder user;
    const auto socket = connected(loop, echo.port(), user);
    CHECK(socket->send("hel", "lo\r\n\r\n") == 9);
    std::string got;
    bool ended = false;
    user.then = [&](net::tcp_socket& ready) {
        char bytes[4];
        while (!ended && ready.readable) {
            const std::ptrdiff_t count = ready.receive(bytes, sizeof bytes);
            ended = count == 0;
            got.append(bytes, static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
        }
    };
    CHECK(turn_until(loop, [&] { return ended; }));
    CHECK(got == "hello\r\n\r\n");
}

TEST_CASE("a connection that cannot be made says why") {
    int port = 0;
    {
        raw_server gone([](int) {});
        port = gone.port();
    }
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    recorder user;
    const auto socket = std::move(*net::tcp_socket::connect(loop, "127.0.0.1", port, user));
    CHECK(turn_until(loop, [&] { return socket->connect_ended(); }));
    CHECK(socket->connect_failure() == "connection refused");
    CHECK_FALSE(net::tcp_socket::connect(loop, "no address", 1, user));
}

TEST_CASE("sending to a peer that has gone raises no signal") {
    raw_server gone([](int) {});
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    recorder user;
    const auto socket = connected(loop, gone.port(), user);
    // SIGPIPE would end this program.
    CHECK(turn_until(loop, [&] { return socket->send("x") == net::tcp_socket::broken; }));
}

TEST_CASE("a turn ends at its time, at a timer, and at a signal of another thread") {
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    net::wake_signal signal(loop);
    auto begin = steady_clock::now();
    CHECK_FALSE(loop.turn(begin + 20ms));
    CHECK(steady_clock::now() - begin >= 20ms);
    bool expired = false;
    net::timer timer(loop.timers(), [&] { expired = true; });
    begin = steady_clock::now();
    timer.set(begin + 20ms);
    CHECK(loop.turn(begin + 1h));
    CHECK(expired);
    CHECK(steady_clock::now() - begin >= 20ms);
    auto raised = std::async(std::launch::async, [&] { signal.raise(); });
    CHECK(loop.turn(steady_clock::now() + 1h));
    raised.get();
    CHECK_FALSE(loop.turn(steady_clock::now()));  // the signal is used up
}

TEST_CASE("a target that wants another turn gets it without an event, once") {
    raw_server silent([](int descriptor) { static_cast<void>(read_head(descriptor)); });
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    recorder user;
    const auto socket = connected(loop, silent.port(), user);
    user.calls = 0;
    loop.again(*socket);
    loop.again(*socket);
    CHECK(loop.has_ready());
    CHECK(loop.turn(steady_clock::now() + 1h));
    CHECK(user.calls == 1);
    CHECK_FALSE(loop.has_ready());
}

TEST_CASE("a target may destroy itself and others that are ready in the same turn") {
    raw_server silent([](int descriptor) { static_cast<void>(read_head(descriptor)); });
    net::reactor loop(net::make_poller(GENERATE(values(both_backends))));
    recorder user;
    std::vector<std::unique_ptr<net::tcp_socket>> sockets;
    for (int i = 0; i < 5; ++i) {
        sockets.push_back(connected(loop, silent.port(), user));
    }
    for (const auto& socket : sockets) {
        loop.again(*socket);
    }
    user.calls = 0;
    user.then = [&](net::tcp_socket&) { sockets.clear(); };
    loop.turn(steady_clock::now());
    CHECK(user.calls == 1);
}

TEST_CASE("the descriptor of a loop is readable when a timer is due") {
    net::reactor loop(net::make_poller(net::poller_kind::best));
    if (loop.descriptor() < 0) {
        WARN("SKIPPED: this system has no epoll");
        return;
    }
    const auto readable_within = [&](int milliseconds) {
        pollfd state = {loop.descriptor(), POLLIN, 0};
        return ::poll(&state, 1, milliseconds) == 1;
    };
    int expired = 0;
    net::timer timer(loop.timers(), [&] { ++expired; });
    timer.set(steady_clock::now() + 20ms);
    loop.set_alarm();
    CHECK_FALSE(readable_within(0));
    CHECK(readable_within(5'000));
    loop.turn(steady_clock::now());
    CHECK(turn_until(loop, [&] { return expired == 1; }));
    loop.set_alarm();
    CHECK_FALSE(readable_within(0));
    timer.set(steady_clock::now() - 1s);
    loop.set_alarm();
    CHECK(readable_within(5'000));
}
