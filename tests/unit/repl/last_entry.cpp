#include "assistant/last_entry.hpp"

#include "catch.hpp"

TEST_CASE("the report about the last entry has all members, empty ones as null") {
    const repl::ai::json nothing = repl::last_entry_report({}, {});
    CHECK(repl::ai::dump_json(nothing) ==
          R"({"answer":null,"exception":null,"input":"","names":[],"output":"","question":null,"truncated":false})");
    const repl::finished_entry entry{.input = "x = 1 / 0",
                                     .output = "out",
                                     .exception = repl::ai::python::exception_info{"ZeroDivisionError", "division by zero", "..."},
                                     .names = {"x"}};
    CHECK(repl::ai::dump_json(repl::last_entry_report(entry, {"what is x?", "1"})) ==
          R"({"answer":"1","exception":{"exc_type":"ZeroDivisionError","message":"division by zero"},"input":"x = 1 / 0",)"
          R"("names":["x"],"output":"out","question":"what is x?","truncated":false})");
}

TEST_CASE("a long input and a long answer are shortened") {
    const repl::finished_entry entry{.input = std::string(10'000, 'x')};
    const repl::ai::json report = repl::last_entry_report(entry, {"q", std::string(10'000, 'a')});
    CHECK(repl::ai::string_member(report, "input")->size() < 4100);
    CHECK(repl::ai::string_member(report, "answer")->size() < 700);
    CHECK(repl::ai::bool_member(report, "truncated") == true);
}
