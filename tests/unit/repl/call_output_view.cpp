#include "assistant/call_output_view.hpp"

#include "catch.hpp"

TEST_CASE("the output of a call is indented", "[call_output_view]") {
    repl::call_output_view view(false);
    CHECK(view.feed("one\ntw") == "  one\n  tw");
    CHECK(view.feed("o\n") == "o\n");
    CHECK(view.finish().empty());
    CHECK(view.feed("\x1B[31mred\x1B[0m") == "  red");
    CHECK(view.finish() == "\n");
}

TEST_CASE("with colours, the output is dim and keeps its own colours", "[call_output_view]") {
    repl::call_output_view view(true);
    CHECK(view.feed("one\n") == "  \x1B[2mone\x1B[0m\n");
    CHECK(view.feed("\x1B[31mred\x1B[0mx") == "  \x1B[2m\x1B[31m\x1B[2mred\x1B[0m\x1B[2mx");
    CHECK(view.finish() == "\x1B[0m\n");
}
