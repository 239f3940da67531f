#include "net/response_reader.hpp"

#include "compressed.hpp"

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;

namespace response_reader_tests {
using pyaichat::net::response_reader;

namespace {

struct read_result {
    ai::result<ai::http_response> response = ai::http_response{};
    response_reader::state state = response_reader::state::head;
    response_reader::fault fault = response_reader::fault::none;
    bool keeps = false;
    std::string streamed = {};
    std::string left = {};
};

enum class end : unsigned char { open, proper, broken };

read_result read(std::string_view bytes, std::size_t size, const ai::http_request& request = {}, bool streamed = false,
                 end at_end = end::open) {
    read_result out;
    const ai::http_body_sink sink = [&](std::string_view piece) {
        out.streamed += piece;
        return out.streamed.find("STOP") == std::string::npos;
    };
    response_reader reader(request, streamed ? &sink : nullptr);
    while (!bytes.empty() && !reader.has_ended()) {
        std::string_view piece = bytes.substr(0, size);
        bytes.remove_prefix(piece.size());
        reader.take(piece);
        out.left += piece;
    }
    out.left += bytes;
    if (at_end != end::open) {
        reader.end_of_connection(at_end == end::proper);
    }
    out.state = reader.now();
    out.fault = reader.why();
    out.keeps = reader.keeps_connection();
    out.response = reader.take_response("example.org:443");
    return out;
}

using state = response_reader::state;
using fault = response_reader::fault;

}  // namespace

TEST_CASE("the same response comes out wherever its bytes are split") {
    const std::string body = compressed("{\"a\": 1}", zlib_format::gzip);
    const std::string bytes =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\nX: y\r\n\r\n" + body;
    for (std::size_t size = 1; size <= bytes.size() + 4; ++size) {
        const read_result out = read(bytes + "HTTP", size);
        REQUIRE(out.state == state::finished);
        REQUIRE(out.response->status == 200);
        REQUIRE(out.response->body == "{\"a\": 1}");
        REQUIRE(out.response->headers.size() == 3);
        REQUIRE(out.keeps);
        REQUIRE(out.left == "HTTP");
    }
}

TEST_CASE("a 2xx body goes to the sink, other bodies into the response") {
    const read_result ok = read("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 5, {}, true);
    CHECK(ok.streamed == "abc");
    CHECK(ok.response->body.empty());
    const read_result refused = read("HTTP/1.1 429 Slow\r\nContent-Length: 3\r\n\r\nabc", 5, {}, true);
    CHECK(refused.streamed.empty());
    CHECK(refused.response->body == "abc");
}

TEST_CASE("a response to HEAD, a 204 and a 304 have no body") {
    const ai::http_request head{.method = "HEAD"};
    CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", 9, head).state == state::finished);
    CHECK(read("HTTP/1.1 204 No\r\n\r\n", 9).keeps);
    CHECK(read("HTTP/1.1 304 Not\r\nContent-Length: 10\r\n\r\n", 9).state == state::finished);
}

TEST_CASE("a body that ends with the connection needs a proper end") {
    const std::string bytes = "HTTP/1.1 200 OK\r\n\r\nabc";
    const read_result whole = read(bytes, 4, {}, false, end::proper);
    CHECK(whole.response->body == "abc");
    CHECK_FALSE(whole.keeps);
    CHECK(read(bytes, 4, {}, false, end::broken).fault == fault::cut_off);
}

TEST_CASE("a response that was cut off is a failure of the connection that tells how far it came") {
    const read_result body = read("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", 8, {}, false, end::proper);
    CHECK(body.response.error().code == ai::errc::connection_failed);
    CHECK(body.response.error().message == "the response from example.org:443 was cut off after 3 bytes of its body");
    const read_result head = read("HTTP/1.1 200 OK\r\nConte", 8, {}, false, end::proper);
    CHECK(head.response.error().message == "example.org:443 closed the connection without a response");
}

TEST_CASE("gzip that is cut off inside a whole body was cut off") {
    const std::string body = compressed("0123456789012345678901234567890123456789", zlib_format::gzip).substr(0, 20);
    const read_result out = read("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n" + body, 7);
    CHECK(out.fault == fault::cut_off);
    CHECK(out.response.error().code == ai::errc::connection_failed);
}

TEST_CASE("an error response is returned although its body was cut, is corrupt or too large") {
    const read_result cut = read("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nabc", 8, {}, false, end::broken);
    CHECK(cut.response->body == "abc");
    CHECK(cut.state == state::failed);
    const read_result large = read("HTTP/1.1 500 No\r\nContent-Length: 3000000\r\n\r\n" + std::string(3'000'000, 'x'), 100'000,
                                   {.max_response_bytes = 2'000'000});
    CHECK(large.response->body.size() == response_reader::largest_refusal);
    CHECK(large.fault == fault::body_too_large);
    CHECK_FALSE(large.keeps);
    CHECK(read("HTTP/1.1 400 No\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", 8).response->status == 400);
}

TEST_CASE("the limit counts what comes out of the decoder") {
    const std::string bomb = compressed(std::string(1'000'000, 'x'), zlib_format::gzip);
    const std::string bytes =
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(bomb.size()) + "\r\n\r\n" + bomb;
    const read_result out = read(bytes, 100, {.max_response_bytes = 100'000});
    CHECK(out.response.error().code == ai::errc::too_large);
    CHECK(out.response.error().message == "the response from example.org:443 is larger than 100000 bytes");
    CHECK(read(bytes, 100, {.max_response_bytes = 1'000'000}).response->body.size() == 1'000'000);
}

TEST_CASE("a sink that stops ends the response") {
    const read_result out = read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabSTOPcde", 60, {}, true);
    CHECK(out.fault == fault::stopped);
    CHECK(out.response.error().code == ai::errc::cancelled);
}

TEST_CASE("what cannot be read is refused with what is wrong") {
    const auto message = [](std::string_view bytes) { return read(bytes, 9).response.error().message; };
    CHECK(message("SSH-2.0-OpenSSH\r\n\r\n") == "the response from example.org:443 is not HTTP");
    CHECK(read("SSH-2.0-OpenSSH\r\n\r\n", 9).response.error().code == ai::errc::unreachable);
    CHECK(message("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n") == "the response from example.org:443 is not valid HTTP (bad head)");
    CHECK(message("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n") ==
          "the response from example.org:443 is not valid HTTP (bad chunk after 2 bytes of its body)");
    CHECK(message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzipped!") ==
          "the response from example.org:443 cannot be decompressed");
    CHECK(message("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 1\r\n\r\nx") ==
          "the response from example.org:443 cannot be decompressed: its encoding was not asked for");
    CHECK(message("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx") ==
          "the response from example.org:443 cannot be decompressed: its encoding was not asked for");
    CHECK(read("HTTP/1.1 200 " + std::string(9'000, 'x'), 100).response.error().code == ai::errc::too_large);
}

TEST_CASE("a reader that is interrupted while it decompresses stops within a MiB of output") {
    constexpr std::size_t mib = std::size_t{1} << 20;
    const std::string body = compressed(std::string(8 * mib, 'x'), zlib_format::gzip);
    const std::string whole =
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    const ai::http_request request;
    std::size_t taken = 0;
    const ai::http_body_sink sink = [&](std::string_view piece) {
        taken += piece.size();
        return true;
    };
    const int asked_before = GENERATE(0, 3);
    response_reader reader(request, &sink);
    int asked = 0;
    reader.interrupt_by([&] { return asked++ == asked_before; });
    std::string_view bytes = whole;
    reader.take(bytes);
    CHECK(reader.now() == response_reader::state::failed);
    CHECK(reader.why() == response_reader::fault::stopped);
    CHECK(asked == asked_before + 1);
    CHECK(taken <= (static_cast<std::size_t>(asked_before) + 1) * mib);
}

}  // namespace response_reader_tests
