#include "net/response_head.hpp"

#include "catch.hpp"

#include <string>

namespace net = pyaichat::net;

namespace response_head_tests {
using net::response_head;
using state = response_head::state;

namespace {

state take(response_head& head, std::string_view bytes) {
    return head.take(bytes);
}

response_head finished(std::string_view bytes) {
    response_head head;
    REQUIRE(take(head, bytes) == state::finished);
    return head;
}

}  // namespace

TEST_CASE("a head is read up to its blank line, and what follows is left") {
    response_head head;
    std::string_view bytes = "HTTP/1.1 200 OK\r\nX-One:  a b \r\nX-Two:\r\n\r\nbody";
    REQUIRE(head.take(bytes) == state::finished);
    CHECK(bytes == "body");
    CHECK(head.status() == 200);
    REQUIRE(head.headers().size() == 2);
    CHECK(head.headers()[0].name == "X-One");
    CHECK(head.headers()[0].value == "a b");
    CHECK(head.headers()[1].value.empty());
}

TEST_CASE("wherever a head is split, it is the same") {
    const std::string text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nabc";
    for (std::size_t at = 0; at <= text.size(); ++at) {
        response_head head;
        std::string_view first = std::string_view(text).substr(0, at);
        std::string_view second = std::string_view(text).substr(at);
        if (head.take(first) == state::unfinished) {
            REQUIRE(head.take(second) == state::finished);
        }
        REQUIRE(std::string(first) + std::string(second) == "abc");
        REQUIRE(head.status() == 404);
        REQUIRE(head.headers().size() == 1);
    }
}

TEST_CASE("the reason phrase may be anything or missing") {
    CHECK(finished("HTTP/1.1 200\r\n\r\n").status() == 200);
    CHECK(finished("HTTP/1.1 200 \r\n\r\n").status() == 200);
    CHECK(finished("HTTP/1.1 599 " + std::string(5000, 'x') + "\r\n\r\n").status() == 599);
    CHECK(finished("HTTP/1.1 200 OK\n\n").status() == 200);
}

TEST_CASE("what is no head of a response is malformed") {
    const std::string text =
        GENERATE(as<std::string>(), "\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200 OK\r\n", "HTTP/1.2 200 OK\r\n", "HTTP/1.1 20 OK\r\n",
                 "HTTP/1.1 2000\r\n", "HTTP/1.1  200 OK\r\n", "HTTP/1.1 099 X\r\n", "HTTP/1.1 101 Switching Protocols\r\n",
                 "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\n: x\r\n", "HTTP/1.1 200 OK\r\nX : y\r\n",
                 "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n", "HTTP/1.1 200 OK\r\nX: a\rb\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                 "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
                 "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                 "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n");
    CAPTURE(text);
    response_head head;
    CHECK(take(head, text) == state::malformed);
}

TEST_CASE("a head of any size is refused at the limit, wherever it is too large") {
    response_head head;
    SECTION("the reason phrase") {
        CHECK(take(head, "HTTP/1.1 200 " + std::string(100'000, 'x')) == state::too_large);
    }
    SECTION("a header, in small pieces") {
        REQUIRE(take(head, "HTTP/1.1 200 OK\r\nX: ") == state::unfinished);
        std::size_t taken = 0;
        while (take(head, "xxxxxxxxxx") == state::unfinished) {
            taken += 10;
        }
        CHECK(taken <= response_head::largest_line);
    }
    SECTION("many headers") {
        REQUIRE(take(head, "HTTP/1.1 200 OK\r\n") == state::unfinished);
        std::size_t count = 0;
        while (take(head, "X: y\r\n") == state::unfinished) {
            ++count;
        }
        CHECK(count * 6 <= response_head::largest);
    }
    SECTION("endless interim responses") {
        std::size_t count = 0;
        while (take(head, "HTTP/1.1 100 Continue\r\n\r\n") == state::unfinished) {
            ++count;
        }
        CHECK(count * 25 <= response_head::largest);
    }
}

TEST_CASE("the connection is kept unless the head says otherwise, or the body has no end of its own") {
    CHECK(finished("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n").keeps_connection());
    CHECK(finished("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n").keeps_connection());
    CHECK(finished("HTTP/1.1 204 No Content\r\n\r\n").keeps_connection());
    CHECK_FALSE(finished("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n").keeps_connection());
    CHECK_FALSE(finished("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: x, Close\r\n\r\n").keeps_connection());
    CHECK_FALSE(finished("HTTP/1.1 200 OK\r\n\r\n").keeps_connection());
    CHECK_FALSE(finished("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n").keeps_connection());
}

TEST_CASE("the head says how its body is read, in one way only") {
    const auto rest = [](std::string_view head, std::string_view bytes) {
        net::response_body body = finished(head).body();
        std::string out;
        while (!bytes.empty() && !body.finished()) {
            out += body.take(bytes);
        }
        return out + (body.finished() ? "." : "...");
    };
    CHECK(rest("HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\ncontent-length: 3\r\n\r\n", "abcdef") == "abc.");
    CHECK(rest("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n0\r\n\r\n") == "a.");
    CHECK(rest("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "abc") == ".");
    CHECK(rest("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", "abc") == ".");
    CHECK(rest("HTTP/1.1 200 OK\r\n\r\n", "abc") == "abc...");
}

}  // namespace response_head_tests
