#include <pyaichat/net/https.hpp>

#include "testing/emulation/loopback_server.hpp"

#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"

#include <cstdint>
#include <future>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

ai::http_request request_to(int port) {
    ai::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(port) + "/";
    request.timeout = 20s;
    return request;
}

/// Answers with `bytes`, then with `again` until the client has gone.
raw_server answering(std::string bytes, std::string again = {}) {
    return raw_server([bytes = std::move(bytes), again = std::move(again)](int descriptor) {
        static_cast<void>(read_head(descriptor));
        bool open = write_all(descriptor, bytes);
        while (open && !again.empty()) {
            open = write_all(descriptor, again);
        }
        static_cast<void>(read_head(descriptor));
    });
}

/// `size` times 'x' as one gzip member, without its checksum: a literal and then matches of 258 bytes, in one block of fixed codes.
std::string gzip_bomb(std::size_t size) {
    std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
    std::uint32_t bits = 0;
    int count = 0;
    const auto put = [&](std::uint32_t value, int width) {
        bits |= value << count;
        for (count += width; count >= 8; count -= 8) {
            out += static_cast<char>(bits & 0xffU);
            bits >>= 8U;
        }
    };
    put(1, 1);     // the last block
    put(1, 2);     // of fixed codes
    put(0x15, 8);  // the literal 'x', 10101000, from its highest bit on
    for (std::size_t made = 1; made < size; made += 258) {
        put(0xa3, 8);  // length 258: 11000101, from its highest bit on
        put(0, 5);     // distance 1
    }
    put(0, 7);  // the end of the block
    put(0, 7);
    return out;
}

}  // namespace

TEST_CASE("a head without bounds is refused in little time and memory") {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const auto& [bytes, again] = GENERATE_COPY(table<std::string, std::string>({
        {"HTTP/1.1 200 " + std::string(100'000, 'x') + "\r\nContent-Length: 0\r\n\r\n", ""},
        {"HTTP/1.1 200 ", std::string(65'536, 'x')},
        {ok + "X: " + std::string(1'000'000, 'x') + "\r\nContent-Length: 0\r\n\r\n", ""},
        {ok + "X: ", std::string(65'536, 'x')},
        {ok, "X: y\r\n"},
        {"", "HTTP/1.1 100 Continue\r\n\r\n"},
        {"", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"},
    }));
    raw_server server = answering(bytes, again);
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
    CHECK_FALSE(response.error().hint.empty());
}

TEST_CASE("a line between chunks without bounds is refused in little time and memory") {
    const auto& [bytes, again] = GENERATE(table<std::string, std::string>({
        {"", std::string(65'536, '0')},
        {"3" + std::string(1'000'000, ' ') + "\r\none\r\n0\r\n\r\n", ""},
        {"1\r\nx", std::string(65'536, 'x')},
        {"0\r\n", "X-Trailer: y\r\n"},
    }));
    raw_server server = answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + bytes, again);
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
    CHECK_FALSE(response.error().hint.empty());
}

TEST_CASE("a hundred thousand headers are refused") {
    std::string head = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 100'000; ++i) {
        head += "X-" + std::to_string(i) + ": y\r\n";
    }
    raw_server server = answering(head + "Content-Length: 0\r\n\r\n");
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
}

TEST_CASE("a reason phrase of any permitted size is harmless") {
    raw_server server = answering("HTTP/1.1 200 " + std::string(7'900, 'x') + "\r\nContent-Length: 2\r\n\r\nok");
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE(response);
    CHECK(response->body == "ok");
}

TEST_CASE("interim responses are passed over") {
    raw_server server = answering(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE(response);
    CHECK(response->status == 200);
    CHECK(response->body == "ok");
    CHECK(response->headers.size() == 1);
}

TEST_CASE("a length that is none, or chunks that are none, are a failed connection") {
    const std::string framing =
        GENERATE(as<std::string>(), "Content-Length: -1\r\n\r\nx", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
                 "Transfer-Encoding: chunked\r\n\r\nzz\r\nxx\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n",
                 "Transfer-Encoding: gzip\r\n\r\nxx");
    fake::loopback_server server([&](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = "HTTP/1.1 200 OK\r\n" + framing, .then = fake::loopback_reply::ending::close};
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
}

TEST_CASE("a body of gigabytes is refused at the limit, announced or not") {
    const std::string framing = GENERATE(as<std::string>(), "Content-Length: 2147483648\r\n\r\n", "\r\n");
    raw_server server = answering("HTTP/1.1 200 OK\r\n" + framing, std::string(65'536, 'x'));
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.max_response_bytes = 1'000'000;
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
}

TEST_CASE("a small body that unpacks to a large one is refused at the limit, whole and streamed") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = fake::http_message(200, {{"Content-Encoding", "gzip"}}, gzip_bomb(100'000'000)),
                .then = fake::loopback_reply::ending::hang};
    });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.max_response_bytes = 1'000'000;
    const bool streamed = GENERATE(true, false);
    std::string got;
    const auto take = [&](std::string_view piece) {
        got += piece;
        return true;
    };
    const auto response = streamed ? transport.stream(request, take, {}) : transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
    CHECK(got.size() <= 1'000'000);
    CHECK(got == std::string(got.size(), 'x'));
    CHECK(got.empty() != streamed);
}

TEST_CASE("a body that claims to be compressed and is not is a failed connection") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = fake::http_message(200, {{"Content-Encoding", "gzip"}}, "{\"plain\": true}")};
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server.port()), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
    CHECK(response.error().hint.find("decompressed") != std::string::npos);
}

TEST_CASE("bytes beyond a response end the connection instead of becoming the next response") {
    fake::loopback_server server([](const fake::loopback_request& request) -> fake::loopback_reply {
        const std::string body = std::to_string(request.connection);
        return {.bytes = fake::http_message(200, {}, body) + fake::http_message(200, {}, "planted")};
    });
    ai::net::https_transport transport;
    for (const char* expected : {"1", "2"}) {
        const auto response = transport.send(request_to(server.port()), {});
        REQUIRE(response);
        CHECK(response->body == expected);
    }
}

TEST_CASE("an answer that comes before the request was read to its end is taken") {
    raw_server server([](int descriptor) {
        static_cast<void>(read_head(descriptor));
        write_all(descriptor, "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nless");
    });
    ai::net::https_transport transport;
    auto request = request_to(server.port());
    request.body.assign(8'000'000, 'x');
    const auto response = transport.send(request, {});
    REQUIRE(response);
    CHECK(response->status == 413);
    CHECK(response->body == "less");
}
