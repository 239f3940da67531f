#include "screen.hpp"

#include "catch.hpp"

TEST_CASE("what would steer a terminal is left out of a text") {
    CHECK(repl::printable("a\x1b[31mred\x07\r\n\tb\x7f") == "a[31mred\n\tb");
    CHECK(repl::printable("C1: \xC2\x9B"
                          "31m, \xC2\xA0 stays, \xC3\xB6 too") == "C1: 31m, \xC2\xA0 stays, \xC3\xB6 too");
}
