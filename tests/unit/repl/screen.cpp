#include "terminal/screen.hpp"

#include "catch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

TEST_CASE("what would steer a terminal is left out of a text") {
    CHECK(repl::printable("a\x1b[31mred\x07\r\n\tb\x7f") == "a[31mred\n\tb");
    CHECK(repl::printable("C1: \xC2\x9B"
                          "31m, \xC2\xA0 stays, \xC3\xB6 too") == "C1: 31m, \xC2\xA0 stays, \xC3\xB6 too");
}

TEST_CASE("a text cannot turn the direction of writing around") {
    CHECK(repl::printable("a\xE2\x80\xAE"
                          "b\xE2\x80\xAA\xE2\x81\xA6"
                          "c\xE2\x81\xA9") == "abc");
    const std::string near = "\xE2\x80\xA9 \xE2\x80\xAF \xE2\x81\xA5 \xE2\x81\xAA \xE2\x80";
    CHECK(repl::printable(near) == near);
}

TEST_CASE("JSON for a terminal is the same value without what would steer it") {
    const pyaichat::json value =
        "\xc2\x9b"
        "31m \xe2\x80\xae \x7f \xc3\xa4";
    const std::string text = repl::printable_json(value);
    CHECK(text == "\"\\u009b31m \\u202e \\u007f \xc3\xa4\"");
    CHECK(*pyaichat::parse_json(text) == value);
}

TEST_CASE("output that cannot be written is noticed") {
    const int kept[2] = {::dup(1), ::dup(2)};
    const int full = ::open("/dev/full", O_WRONLY);
    int said[2];
    REQUIRE(::pipe(said) == 0);
    ::dup2(said[1], 2);
    bool before = true;
    bool after = false;
    {
        repl::screen screen({});
        before = screen.lost_output();
        ::dup2(full, 1);
        screen.out("one\n");
        screen.out("two\n");
        after = screen.lost_output();
    }
    ::dup2(kept[0], 1);
    ::dup2(kept[1], 2);
    for (const int one : {kept[0], kept[1], full, said[1]}) {
        ::close(one);
    }
    std::string text(1000, ' ');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(said[0], text.data(), text.size()))));
    ::close(said[0]);
    CHECK_FALSE(before);
    CHECK(after);
    CHECK(text.find("standard output cannot be written") != std::string::npos);
    CHECK(text.find('\n') == text.size() - 1);
}
