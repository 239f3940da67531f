#include "net/tcp_socket.hpp"

#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"

#include <poll.h>

#include <atomic>
#include <functional>
#include <future>
#include <string>

namespace ai = pyaichat;
namespace net = pyaichat::net;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr auto on_a_busy_machine = 500ms;

/// Interrupts after `ready` says so; how long the body took to come back.
std::chrono::milliseconds time_to_return(net::tcp_socket& socket, const std::function<bool()>& body, const std::function<bool()>& ready) {
    auto done = std::async(std::launch::async, body);
    CHECK(settles(ready));
    const auto begin = steady_clock::now();
    socket.interrupt();
    CHECK_FALSE(done.get());
    return std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - begin);
}

}  // namespace

TEST_CASE("bytes go out and come back, and the peer's end is an end") {
    raw_server echo([](int descriptor) { write_all(descriptor, read_head(descriptor)); });
    net::tcp_socket socket;
    socket.wait_until(steady_clock::now() + 5s);
    REQUIRE(socket.connect("127.0.0.1", echo.port(), steady_clock::now() + 5s));
    CHECK(socket.idle());
    REQUIRE(socket.send("hello\r\n\r\n"));
    std::string got;
    char bytes[4];
    for (std::ptrdiff_t count = 0; (count = socket.receive(bytes, sizeof bytes)) > 0;) {
        got.append(bytes, static_cast<std::size_t>(count));
    }
    CHECK(got == "hello\r\n\r\n");
    CHECK(socket.receive(bytes, sizeof bytes) == 0);
    CHECK_FALSE(socket.idle());
}

TEST_CASE("a connection that cannot be made says why") {
    int port = 0;
    {
        raw_server gone([](int) {});
        port = gone.port();
    }
    net::tcp_socket socket;
    const auto refused = socket.connect("127.0.0.1", port, steady_clock::now() + 5s);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "connection refused");
    CHECK_FALSE(socket.connect("no address", 1, steady_clock::now() + 5s));
    CHECK_FALSE(socket.idle());
}

TEST_CASE("no wait lasts beyond its time") {
    const deaf_listener deaf;
    raw_server silent([](int descriptor) { static_cast<void>(read_head(descriptor)); });
    net::tcp_socket socket;
    auto begin = steady_clock::now();
    CHECK_FALSE(socket.connect("127.0.0.1", deaf.port(), begin + 30ms));
    CHECK(steady_clock::now() - begin >= 30ms);
    CHECK(steady_clock::now() - begin < 30ms + on_a_busy_machine);

    REQUIRE(socket.connect("127.0.0.1", silent.port(), steady_clock::now() + 5s));
    begin = steady_clock::now();
    socket.wait_until(begin + 30ms);
    char byte = 0;
    CHECK(socket.receive(&byte, 1) == net::byte_stream::broken);
    CHECK(steady_clock::now() - begin >= 30ms);
    CHECK(steady_clock::now() - begin < 30ms + on_a_busy_machine);
    CHECK_FALSE(socket.send("late"));
}

TEST_CASE("an interruption ends connecting, receiving and sending at once, and what is tried later") {
    const deaf_listener deaf;
    // Takes nothing, until the peer or the server ends.
    raw_server stalled([](int descriptor) {
        pollfd end = {descriptor, POLLRDHUP, 0};
        ::poll(&end, 1, -1);
    });
    SECTION("connecting") {
        net::tcp_socket socket;
        std::atomic<bool> begun = false;
        const auto connect = [&] {
            begun = true;
            return socket.connect("127.0.0.1", deaf.port(), steady_clock::now() + 10s).has_value();
        };
        CHECK(time_to_return(socket, connect, [&] { return begun.load(); }) < on_a_busy_machine);
        CHECK_FALSE(socket.connect("127.0.0.1", stalled.port(), steady_clock::now() + 5s));
    }
    SECTION("receiving and sending") {
        const bool receiving = GENERATE(true, false);
        net::tcp_socket socket;
        socket.wait_until(steady_clock::now() + 10s);
        REQUIRE(socket.connect("127.0.0.1", stalled.port(), steady_clock::now() + 5s));
        std::atomic<bool> begun = false;
        const std::string much(20'000'000, 'x');
        const auto transfer = [&] {
            begun = true;
            char byte = 0;
            return receiving ? socket.receive(&byte, 1) >= 0 : socket.send(much);
        };
        CHECK(time_to_return(socket, transfer, [&] { return begun.load(); }) < on_a_busy_machine);
        CHECK_FALSE(socket.in_time());
        CHECK_FALSE(socket.idle());
    }
}

TEST_CASE("sending to a peer that has gone raises no signal") {
    raw_server gone([](int) {});
    net::tcp_socket socket;
    socket.wait_until(steady_clock::now() + 5s);
    REQUIRE(socket.connect("127.0.0.1", gone.port(), steady_clock::now() + 5s));
    CHECK(settles([&] { return !socket.send("x"); }));  // SIGPIPE would end this program
}
