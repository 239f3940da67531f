#include "net/content_decoder.hpp"

#include "compressed.hpp"

#include "catch.hpp"

#include <string>

using pyaichat::net::content_decoder;

namespace {

struct decoded {
    std::string text = {};
    bool fine = true;
    bool complete = false;
};

/// What comes out of these bytes, which come in pieces of `size`.
decoded decode(std::string_view encoding, std::string_view bytes, std::size_t size) {
    std::optional<content_decoder> decoder = content_decoder::of(encoding);
    REQUIRE(decoder);
    decoded out;
    for (; !bytes.empty() && out.fine; bytes.remove_prefix(std::min(size, bytes.size()))) {
        out.fine = decoder->take(bytes.substr(0, size), [&](std::string_view piece) {
            out.text += piece;
            return true;
        });
    }
    out.complete = decoder->complete();
    return out;
}

const std::string sentence = "Bytes in, events out; bytes to write out.";

}  // namespace

TEST_CASE("each encoding gives the same text, wherever its bytes are split") {
    const auto [encoding, format] = GENERATE(table<std::string, zlib_format>(
        {{"gzip", zlib_format::gzip}, {"X-GZIP", zlib_format::gzip}, {"deflate", zlib_format::zlib}, {"deflate", zlib_format::bare}}));
    const std::string bytes = compressed(sentence, format);
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
        const decoded out = decode(encoding, bytes, size);
        REQUIRE(out.text == sentence);
        REQUIRE(out.fine);
        REQUIRE(out.complete);
    }
}

TEST_CASE("a body without an encoding passes as it is") {
    for (const std::string encoding : {"", "identity", "Identity"}) {
        const decoded out = decode(encoding, sentence, 3);
        CHECK(out.text == sentence);
        CHECK(out.complete);
    }
}

TEST_CASE("an encoding that was not asked for is refused") {
    for (const std::string encoding : {"br", "zstd", "gzip, gzip", "compress", "gzip;q=1"}) {
        CAPTURE(encoding);
        CHECK_FALSE(content_decoder::of(encoding));
    }
}

TEST_CASE("gzip members that follow each other are one text, and padding after them is ignored") {
    const std::string bytes = compressed("one ", zlib_format::gzip) + compressed("two", zlib_format::gzip) + std::string(20, '\0');
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
        const decoded out = decode("gzip", bytes, size);
        CHECK(out.text == "one two");
        CHECK(out.complete);
    }
}

TEST_CASE("a compressed body that was cut off is not complete") {
    const std::string bytes = compressed(sentence, zlib_format::gzip);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        const decoded out = decode("gzip", std::string_view(bytes).substr(0, size), bytes.size());
        REQUIRE(out.fine);
        REQUIRE_FALSE(out.complete);
    }
    CHECK(decode("gzip", "", 1).complete);
}

TEST_CASE("corrupt bytes are refused") {
    std::string bytes = compressed(sentence, zlib_format::gzip);
    CHECK_FALSE(decode("gzip", sentence, 5).fine);
    bytes[bytes.size() - 6] ^= 1;  // in the check sum
    CHECK_FALSE(decode("gzip", bytes, bytes.size()).fine);
}

TEST_CASE("whoever takes the text of a bomb can stop it early") {
    const std::string bytes = compressed(std::string(std::size_t{1} << 24, 'x'), zlib_format::gzip);
    std::optional<content_decoder> decoder = content_decoder::of("gzip");
    std::size_t taken = 0;
    CHECK_FALSE(decoder->take(bytes, [&](std::string_view piece) {
        taken += piece.size();
        return taken < 100'000;
    }));
    CHECK(taken < 100'000 + 16'384 + 1);
}
