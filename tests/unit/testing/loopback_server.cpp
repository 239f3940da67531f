#include "testing/emulation/loopback_server.hpp"

#include "catch.hpp"
#include "testing/emulation/loopback_request_reader.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using progress = fake::loopback_request_reader::progress;

namespace {

/// Reads requests from bytes in pieces of `size`, and notes what the server would do: the bodies, "100" for a permission, "400" for bytes
/// that are not HTTP.
std::vector<std::string> read(std::string_view bytes, std::size_t size) {
    fake::loopback_request_reader reader;
    std::vector<std::string> out;
    for (;;) {
        switch (reader.advance()) {
            case progress::complete: out.push_back(reader.take().body); break;
            case progress::expects_permission: out.push_back("100"); break;
            case progress::invalid: out.push_back("400"); return out;
            case progress::incomplete:
                if (bytes.empty()) {
                    return out;
                }
                reader.append(bytes.substr(0, size));
                bytes.remove_prefix(std::min(size, bytes.size()));
        }
    }
}

using bodies = std::vector<std::string>;

fake::loopback_reply reply_to(const std::string& request) {
    fake::loopback_request_reader reader;
    reader.append(request);
    REQUIRE(reader.advance() == progress::complete);
    fake::loopback_reply out;
    out.bytes = fake::http_message(200, {{"A", "b"}}, "body");
    out.rest = {{.bytes = "more"}};
    fake::adapt_reply(out, reader.take());
    return out;
}

/// A connection to a server of this process.
class client {
public:
    explicit client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    }
    ~client() { ::close(socket_); }
    client(const client&) = delete;
    client& operator=(const client&) = delete;

    void send(std::string_view bytes) const { REQUIRE(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size())); }
    /// Reads until the text ends with `end`, or until the server closes the connection.
    [[nodiscard]] std::string read(std::string_view end) const {
        std::string out;
        for (char byte = 0; (end.empty() || !out.ends_with(end)) && ::recv(socket_, &byte, 1, 0) == 1;) {
            out += byte;
        }
        return out;
    }

private:
    int socket_;
};

}  // namespace

TEST_CASE("bodies of both framings are read, wherever the bytes are split, one request after the other") {
    const std::string two =
        "POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"
        "POST /b HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n00D\r\n, world\r\n\r\n!!\r\n0\r\nTrailer: x\r\n\r\n"
        "GET /c HTTP/1.1\r\n\r\n";
    for (std::size_t size = 1; size < two.size(); ++size) {
        CAPTURE(size);
        CHECK(read(two, size) == bodies{"hello", "hello, world\r\n\r\n!!", ""});
    }
}

TEST_CASE("a client that waits for a permission gets it once, and not when its body is there already") {
    const std::string head = "POST /a HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n";
    CHECK(read(head, head.size()) == bodies{"100"});
    CHECK(read(head + "hello", head.size()) == bodies{"100", "hello"});
    CHECK(read(head + "hello", 1'000) == bodies{"hello"});
    CHECK(read("GET /a HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", 1) == bodies{""});
}

TEST_CASE("bytes that are not HTTP are refused") {
    const std::string post = "POST /a HTTP/1.1\r\n";
    for (const std::string& bytes :
         {std::string("hello\r\n\r\n"), std::string("GET /a HTTP/2\r\n\r\n"), post + "no colon\r\n\r\n",
          post + "Content-Length: five\r\n\r\n", post + "Content-Length: -1\r\n\r\n", post + "Content-Length: 99999999999\r\n\r\n",
          post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", post + "Transfer-Encoding: gzip\r\n\r\n",
          post + "Transfer-Encoding: chunked\r\n\r\nx\r\n", post + "Transfer-Encoding: chunked\r\n\r\n\r\n",
          post + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", post + "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
          std::string(70'000, 'x')}) {
        CAPTURE(bytes.substr(0, 100));
        CHECK(read(bytes, 1'000) == bodies{"400"});
    }
}

TEST_CASE("a response to HEAD has no body, and a client that wants the connection closed is told that it is") {
    using ending = fake::loopback_reply::ending;
    const fake::loopback_reply plain = reply_to("GET /a HTTP/1.1\r\n\r\n");
    CHECK(plain.bytes == "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\nbody");
    CHECK(plain.then == ending::keep);
    const fake::loopback_reply head = reply_to("HEAD /a HTTP/1.1\r\n\r\n");
    CHECK(head.bytes == "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\n");
    CHECK(head.rest.empty());
    CHECK(head.then == ending::keep);
    for (const char* request : {"GET /a HTTP/1.1\r\nConnection: TE, Close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"}) {
        const fake::loopback_reply closing = reply_to(request);
        CHECK(closing.bytes == "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody");
        CHECK(closing.then == ending::close);
    }
}

TEST_CASE("the server gives permission, reads chunks, answers HEAD without a body, and closes when it is asked to") {
    fake::loopback_server server([](const fake::loopback_request& request) {
        return fake::loopback_reply{.bytes = fake::http_message(200, {}, request.method + " " + request.body)};
    });
    const client peer(server.port());
    peer.send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
    CHECK(peer.read("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    peer.send("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
    CHECK(peer.read("hello") == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nPOST hello");
    peer.send("HEAD /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(peer.read("\r\n\r\n") == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    CHECK(peer.read("") == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nGET ");
    const client other(server.port());
    other.send("nonsense\r\n\r\n");
    CHECK(other.read("").starts_with("HTTP/1.1 400 Bad Request\r\n"));
}
