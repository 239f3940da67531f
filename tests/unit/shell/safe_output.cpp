#include "shell/text/safe_output.hpp"

#include "catch.hpp"

namespace {

std::string safe(std::string_view bytes, std::size_t piece = 1000) {
    pyaichat::detail::safe_output filter;
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        filter.feed(bytes.substr(0, piece), out);
    }
    filter.finish(out);
    return out;
}

}  // namespace

TEST_CASE("text, tabs, ends of lines and colours reach the terminal", "[safe_output]") {
    for (const std::size_t piece : {1U, 2U, 1000U}) {
        CHECK(safe("a\tb\n\xC3\xBC\n", piece) == "a\tb\n\xC3\xBC\n");
        CHECK(safe("\x1B[1;31mred\x1B[0m\n", piece) == "\x1B[1;31mred\x1B[0m\n");
        CHECK(safe("\x1B[38;5;8mgrey\x1B[38;2;1;8;3mx\x1B[m", piece) == "\x1B[38;5;8mgrey\x1B[38;2;1;8;3mx\x1B[m");
        CHECK(safe("\x1B[4:3mcurly\x1B[m", piece) == "\x1B[4:3mcurly\x1B[m");
    }
}

TEST_CASE("a style does not leak behind the output", "[safe_output]") {
    CHECK(safe("\x1B[7mreverse") == "\x1B[7mreverse\x1B[0m");
}

TEST_CASE("nothing that harms a terminal reaches it", "[safe_output]") {
    const std::string_view attacks[] = {
        "\x1B]0;title\x07",
        "\x1B]2;title\x1B\\",
        "\x1B]52;c;ZXZpbA==\x07",
        "\x1B[?1049h",
        "\x1B[?2004h",
        "\x1B[6n",
        "\x1B[c",
        "\x1B[>q",
        "\x1B[2J",
        "\x1B[H",
        "\x1B[5;5H",
        "\x1B[3A",
        "\x1B[?25l",
        "\x1B[21t",
        "\x1B]4;1;?\x07",
        "\x1B"
        "c",
        "\x1B#8",
        "\x1B(0",
        "\x1BP$qm\x1B\\",
        "\x1B_Gf=100;AAAA\x1B\\",
        "\x1B]1337;File=:AA\x07",
        "\x1B]8;;http://x\x07",
        "\xC2\x9B"
        "6n",
        "\xC2\x9D"
        "0;t\x07",
        "\x1B[8m",
        "\x1B[1;8m",
        "\x1B[38;5;1;8m",
        "\x07",
        "\x0E",
        "\x05",
        "\x7F",
        "\xE2\x80\xAE",
        "\xE2\x81\xA6",
        "\xE2\x80\x8F",
        "\x1B[>4;2m",
        "\x1B[?5m",
        "\x1B[31 m",
        "\x1B[\x1B[6n",
        "\x1B[3\x1B]0;t\x07",
        "\x1B[1000000000000000000000000000000000m",
    };
    for (const std::string_view attack : attacks) {
        for (const std::size_t piece : {1U, 1000U}) {
            const std::string shown = safe("a" + std::string(attack) + "b\n", piece);
            INFO("attack " << attack.substr(1));
            CHECK(shown == "ab\n");
        }
    }
}

TEST_CASE("a line that is written over is shown once at the begin and once at its end", "[safe_output]") {
    CHECK(safe("10%\r50%\r100%\n") == "10%\n100%\n");
    CHECK(safe("one\r\ntwo \r\n") == "one\ntwo \n");
    CHECK(safe("load\rloaded\n") == "loaded\n");
    CHECK(safe("load\r    \r\n") == "load\n");
}

TEST_CASE("the progress of a line can be shown before its end", "[safe_output]") {
    pyaichat::detail::safe_output filter;
    std::string out;
    filter.feed("10%", out);
    filter.show_progress(out);
    CHECK(out == "10%");
    filter.feed("\r20%\r30%", out);
    CHECK(out == "10%");
    filter.show_progress(out);
    filter.show_progress(out);
    CHECK(out == "10%\n30%");
    filter.feed("\r100%\n", out);
    CHECK(out == "10%\n30%\n100%\n");
}
