#include "python/timed_statement.hpp"

#include "catch.hpp"

TEST_CASE("an entry that begins with %time has a statement") {
    CHECK(repl::timed_statement("%time f(1)") == "f(1)");
    CHECK(repl::timed_statement("%time \t for x in y:\n    pass") == "for x in y:\n    pass");
    CHECK_FALSE(repl::timed_statement("%timeit f(1)"));
    CHECK_FALSE(repl::timed_statement("%time"));
    CHECK_FALSE(repl::timed_statement("time %time x"));
}
