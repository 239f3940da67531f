#include "python/python_literal.hpp"

#include "catch.hpp"

TEST_CASE("a literal means the text, whatever is in it") {
    CHECK(repl::python_literal("plain \xC3\xB6") == "'plain \xC3\xB6'");
    CHECK(repl::python_literal("it's a \\ \n") == R"('it\'s a \\ \x0a')");
    CHECK(repl::python_literal("a\xFF") == R"('a\udcff')");
}
