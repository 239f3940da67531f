#include <pyaichat/net/https.hpp>

#include "testing/emulation/loopback_server.hpp"

#include "async_bench.hpp"
#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"

#include <algorithm>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace https_stream_tests {
using std::chrono::steady_clock;
using ending = fake::loopback_reply::ending;

namespace {

ai::http_request request_to(int port) {
    ai::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(port) + "/stream";
    request.timeout = 10s;
    return request;
}

constexpr const char* chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace

TEST_CASE("a piece of a stream is there before the server sends the next") {
    std::promise<void> first_seen;
    raw_server server([&](int descriptor) {
        static_cast<void>(read_head(descriptor));
        write_all(descriptor, std::string(chunked) + "3\r\none\r\n");
        if (first_seen.get_future().wait_for(5s) == std::future_status::ready) {
            write_all(descriptor, "3\r\ntwo\r\n0\r\n\r\n");
        }
        static_cast<void>(read_head(descriptor));
    });
    ai::net::https_transport transport;
    std::string got;
    const auto here = std::this_thread::get_id();
    const auto response = transport.stream(request_to(server.port()),
                                           [&](std::string_view piece) {
                                               CHECK(std::this_thread::get_id() == here);
                                               got += piece;
                                               if (got == "one") {
                                                   first_seen.set_value();
                                               }
                                               return true;
                                           },
                                           {});
    REQUIRE(response);
    CHECK(got == "onetwo");
    CHECK(response->status == 200);
    CHECK(response->body.empty());
}

TEST_CASE("a streamed request keeps its connection, and asks for no compression that would hold pieces back") {
    std::vector<std::string> encodings;
    fake::loopback_server server([&](const fake::loopback_request& request) -> fake::loopback_reply {
        encodings.push_back(fake::header_value(request.headers, "Accept-Encoding"));
        return {.bytes = fake::http_message(200, {}, "x")};
    });
    ai::net::https_transport transport;
    std::string got;
    const auto take = [&](std::string_view piece) {
        got += piece;
        return true;
    };
    REQUIRE(transport.stream(request_to(server.port()), take, {}));
    REQUIRE(transport.stream(request_to(server.port()), take, {}));
    REQUIRE(transport.send(request_to(server.port()), {}));
    CHECK(got == "xx");
    CHECK(server.connections() == 1);
    CHECK(encodings[0] == "identity");
    CHECK(encodings[2].find("gzip") != std::string::npos);
}

TEST_CASE("a response that is not 2xx comes back whole, and the receiver sees nothing of it") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = fake::http_message(429, {{"X", "y"}}, "slow down")};
    });
    ai::net::https_transport transport;
    bool called = false;
    const auto response = transport.stream(request_to(server.port()), [&](std::string_view) { return called = true; }, {});
    REQUIRE(response);
    CHECK(response->status == 429);
    CHECK(response->body == "slow down");
    CHECK(fake::header_value(response->headers, "X") == "y");
    CHECK_FALSE(called);
}

TEST_CASE("a receiver that has enough ends the exchange and its connection") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = std::string(chunked) + "3\r\none\r\n", .then = ending::hang};
    });
    ai::net::https_transport transport;
    const auto response = transport.stream(request_to(server.port()), [](std::string_view) { return false; }, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::cancelled);
    CHECK(settles([&] { return server.open_connections() == 0; }));
}

TEST_CASE("a cancel, also from within the receiver, ends a stream that stalls") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = std::string(chunked) + "3\r\none\r\n", .then = ending::hang};
    });
    ai::net::https_transport transport;
    ai::cancel_source stop;
    steady_clock::time_point tripped;
    const auto response = transport.stream(
        request_to(server.port()),
        [&](std::string_view) {
            tripped = steady_clock::now();
            return stop.request_stop();
        },
        stop.get_token());
    CHECK(steady_clock::now() - tripped < 500ms);  // the machine may be busy
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::cancelled);
    CHECK(settles([&] { return server.open_connections() == 0; }));
}

TEST_CASE("a stream that never pauses is ended by its time limit and by a cancel") {
    raw_server server([](int descriptor) {
        static_cast<void>(read_head(descriptor));
        write_all(descriptor, "HTTP/1.1 200 OK\r\n\r\n");
        while (write_all(descriptor, std::string(65'536, 'x'))) {
        }
    });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.max_response_bytes = std::numeric_limits<std::size_t>::max();
    request.timeout = 100ms;
    ai::cancel_source stop;
    const bool cancelling = GENERATE(true, false);
    if (cancelling) {
        request.timeout = 10s;
    }
    const auto begin = steady_clock::now();
    const auto response = transport.stream(
        request,
        [&](std::string_view) {
            if (cancelling && steady_clock::now() - begin > 50ms) {
                stop.request_stop();
            }
            return true;
        },
        stop.get_token());
    CHECK(steady_clock::now() - begin < 600ms);
    REQUIRE_FALSE(response);
    CHECK(response.error().code == (cancelling ? ai::errc::cancelled : ai::errc::timeout));
}

TEST_CASE("a receiver that takes longer than the time limit gets no further piece") {
    raw_server server([](int descriptor) {
        static_cast<void>(read_head(descriptor));
        write_all(descriptor, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n");
    });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.timeout = 100ms;
    std::string taken;
    const auto response = transport.stream(request,
                                           [&](std::string_view piece) {
                                               taken += piece;
                                               keep_busy(150ms);
                                               return true;
                                           },
                                           {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::timeout);
    CHECK(taken == "a");
}

TEST_CASE("a streamed body over the limit is refused while it arrives, after what fits") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = fake::http_message(200, {}, std::string(1'000'000, 'x'))};
    });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.max_response_bytes = 100'000;
    std::size_t got = 0;
    const auto response = transport.stream(request,
                                           [&](std::string_view piece) {
                                               got += piece.size();
                                               return true;
                                           },
                                           {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
    CHECK(got <= 100'000);
}

TEST_CASE("a stream that breaks off is a failed connection, however the body is framed") {
    const std::string head = GENERATE(as<std::string>(), chunked, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    const auto then = GENERATE(ending::close, ending::reset);
    fake::loopback_server server(
        [&](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = head + "3\r\none\r\n", .then = then}; });
    ai::net::https_transport transport;
    const auto response = transport.stream(request_to(server.port()), [](std::string_view) { return true; }, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
    CHECK(response.error().hint == "The service's response was cut off.");
}

TEST_CASE("a body without a length ends with its connection") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = "HTTP/1.1 200 OK\r\n\r\nto the end", .then = ending::close};
    });
    ai::net::https_transport transport;
    std::string got;
    REQUIRE(transport.stream(request_to(server.port()),
                             [&](std::string_view piece) {
                                 got += piece;
                                 return true;
                             },
                             {}));
    CHECK(got == "to the end");
}

}  // namespace https_stream_tests
