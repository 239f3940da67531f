#include "net/response_body.hpp"

#include "catch.hpp"

#include <string>

using pyaichat::net::response_body;

namespace {

/// All that a body gives of these bytes, which come in pieces of `size`.
std::string taken(response_body& body, std::string_view bytes, std::size_t size) {
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        std::string_view piece = bytes.substr(0, size);
        while (!piece.empty() && !body.finished() && !body.malformed()) {
            out += body.take(piece);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("a body of a length ends after it and leaves the rest") {
    response_body body = response_body::of_length(5);
    std::string_view bytes = "helloHTTP";
    CHECK_FALSE(body.finished());
    CHECK(body.take(bytes) == "hello");
    CHECK(body.finished());
    CHECK(bytes == "HTTP");
    CHECK(body.take(bytes).empty());
    CHECK(bytes == "HTTP");
    CHECK(response_body::of_length(0).finished());
}

TEST_CASE("a body of chunks is put together, wherever it is split, with extensions and trailers passed over") {
    const std::string text = "5\r\nhello\r\n06;name=\"x\"\r\n world\r\n1 \r\n!\r\n0\r\nX-Trailer: y\r\n\r\n";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        response_body body = response_body::of_chunks();
        REQUIRE(taken(body, text, size) == "hello world!");
        REQUIRE(body.finished());
    }
}

TEST_CASE("chunks that are malformed are no end of the body") {
    const std::string text = GENERATE(as<std::string>(), "\r\n", "x\r\n", "-1\r\n", "0x5\r\nhello\r\n", " 5\r\nhello\r\n",
                                      "5 5\r\nhello\r\n", "10000000000000000\r\n", ";x\r\n", "1\r\nxx\r\n0\r\n\r\n", "1\r\nx\r\r\n");
    CAPTURE(text);
    response_body body = response_body::of_chunks();
    static_cast<void>(taken(body, text, text.size()));
    CHECK(body.malformed());
    CHECK_FALSE(body.finished());
}

TEST_CASE("the lines between chunks and after the last are bounded") {
    response_body size = response_body::of_chunks();
    static_cast<void>(taken(size, "5" + std::string(2'000, ' '), 7));
    CHECK(size.malformed());
    response_body trailers = response_body::of_chunks();
    std::string_view last = "0\r\n";
    static_cast<void>(trailers.take(last));
    std::size_t count = 0;
    for (; !trailers.malformed() && count < 1'000'000; ++count) {
        std::string_view trailer = "X-Trailer: y\r\n";
        static_cast<void>(trailers.take(trailer));
    }
    CHECK(count < 2'000);
}

TEST_CASE("a body without a length is finished by the end of the connection, others are not") {
    response_body endless = response_body::to_the_end();
    CHECK(taken(endless, "all of it", 2) == "all of it");
    CHECK_FALSE(endless.finished());
    endless.end_of_connection();
    CHECK(endless.finished());
    response_body cut = response_body::of_length(5);
    cut.end_of_connection();
    CHECK_FALSE(cut.finished());
    response_body chunks = response_body::of_chunks();
    chunks.end_of_connection();
    CHECK_FALSE(chunks.finished());
}
