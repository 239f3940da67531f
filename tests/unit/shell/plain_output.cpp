#include "shell/text/plain_output.hpp"

#include "catch.hpp"

namespace {

std::string plain(std::string_view bytes, std::size_t piece = 1000) {
    pyaichat::detail::plain_output filter;
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        filter.feed(bytes.substr(0, piece), out);
    }
    filter.finish(out);
    return out;
}

}  // namespace

TEST_CASE("plain text stays as it is", "[plain_output]") {
    CHECK(plain("a b\n\tc\n\nd") == "a b\n\tc\n\nd");
    CHECK(plain("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80\n", 1) == "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80\n");
    CHECK(plain("") == "");
}

TEST_CASE("escape sequences are taken out, in pieces of any size", "[plain_output]") {
    for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
        CHECK(plain("\x1B[1;31mred\x1B[0m\n", piece) == "red\n");
        CHECK(plain("\x1B]0;title\x07"
                    "a\x1B]52;c;aGk=\x1B\\b",
                    piece) == "ab");
        CHECK(plain("\x1B[?1049h\x1B[2J\x1B[Hx\x1B[6n\x1B[?2004h", piece) == "x");
        CHECK(plain("\x1BPsecret\x1B\\\x1B_apc\x1B\\\x1B^pm\x1B\\\x1BXsos\x1B\\x", piece) == "x");
        CHECK(plain("\x1B(0line\x1B(B \x1B"
                    "c\x1B=x",
                    piece) == "line x");
        CHECK(plain("\xC2\x9B"
                    "31mred \xC2\x9D"
                    "0;title\x07x",
                    piece) == "red x");  // the same with one character in front
    }
}

TEST_CASE("a sequence without an end does not swallow what follows", "[plain_output]") {
    CHECK(plain("\x1B]0;no end\nnext\n") == "\nnext\n");
    CHECK(plain("\x1B]0;" + std::string(5000, 'x') + "seen").ends_with("xseen"));
    CHECK(plain("\x1B[12;\x18seen") == "seen");
    CHECK(plain("\x1B[" + std::string(10000, '1') + "Gx") == "x");
    CHECK(plain("a\x1B") == "a");
}

TEST_CASE("of a line that is written over, the last state stays", "[plain_output]") {
    CHECK(plain(" 10%\r 50%\r100%\n") == "100%\n");
    CHECK(plain("downloading\rdone\x1B[K\n") == "done\n");
    CHECK(plain("downloading\r           \rdone\n") == "done\n");
    CHECK(plain("long line\rlo\n") == "long line\n");
    CHECK(plain("|\b/\b-\b\\\bx\n") == "x\n");
    CHECK(plain("ab\x1B[1Gx\x1B[2Cy\n") == "xb y\n");
    CHECK(plain("one\r\ntwo\r\n") == "one\ntwo\n");
    CHECK(plain("\xE2\x96\x88\xE2\x96\x88\rab\n") == "ab\n");
    CHECK(plain("\x1B[999999999999Gx\b\b\by").size() < 20000);
}

TEST_CASE("invalid UTF-8 is replaced, and control characters are dropped", "[plain_output]") {
    for (const std::size_t piece : {1U, 1000U}) {
        CHECK(plain(std::string_view("a\0b\x07"
                                     "c\x7F",
                                     6),
                    piece) == "abc");
        CHECK(plain("a\xFF"
                    "b\xC3",
                    piece) ==
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD");
        CHECK(plain("\xE2\x82x", piece) == "\xEF\xBF\xBDx");
        CHECK(plain("\xED\xA0\x80", piece).find("\xED\xA0") == std::string::npos);  // a surrogate
        CHECK(plain("\xC0\xAF", piece).find('/') == std::string::npos);             // an overlong form
    }
}

TEST_CASE("a line of any length is bounded in memory, and whole", "[plain_output]") {
    const std::string line(100000, 'x');
    CHECK(plain(line) == line);
    CHECK(plain("\r" + line) == line);
}
