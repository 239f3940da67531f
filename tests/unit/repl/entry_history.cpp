#include "editor/entry_history.hpp"

#include "catch.hpp"

TEST_CASE("older and newer entries are shown, and the draft again") {
    repl::entry_history history({"a = 1", "def f():\n    pass", "b = 2"});
    CHECK(history.older("dra", false) == "b = 2");
    CHECK(history.older("b = 2", false) == "def f():\n    pass");
    CHECK(history.older("def f():\n    pass", false) == "a = 1");
    CHECK_FALSE(history.older("a = 1", false));
    CHECK(history.newer("a = 1") == "def f():\n    pass");
    CHECK(history.newer("") == "b = 2");
    CHECK(history.newer("b = 2") == "dra");
    CHECK_FALSE(history.newer("dra"));
}

TEST_CASE("typed text selects the entries that begin with it") {
    repl::entry_history history({"import os", "x = 1", "import sys", "y"});
    CHECK(history.older("imp", true) == "import sys");
    CHECK(history.older("import sys", true) == "import os");
    CHECK_FALSE(history.older("import os", true));
    CHECK(history.newer("import os") == "import sys");
    CHECK(history.newer("import sys") == "imp");
}

TEST_CASE("the same entry in a row is kept once") {
    repl::entry_history history;
    CHECK(history.add("x"));
    CHECK_FALSE(history.add("x"));
    CHECK(history.add("y"));
    CHECK(history.add("x"));
    CHECK(history.entries().size() == 3);
}

TEST_CASE("the newest entry that is longer is suggested") {
    repl::entry_history history({"value = 1", "value = 22", "val"});
    CHECK(history.suggestion("val") == "ue = 22");
    CHECK(history.suggestion("other").empty());
    CHECK(history.suggestion("").empty());
}

TEST_CASE("the number of entries is bounded") {
    repl::entry_history history;
    for (int number = 0; number < 12000; ++number) {
        history.add(std::to_string(number));
    }
    CHECK(history.entries().size() < 6000);
    CHECK(history.entries().back() == "11999");
}
