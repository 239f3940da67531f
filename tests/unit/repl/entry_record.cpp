#include "python/entry_record.hpp"

#include "catch.hpp"

using repl::ai::python::ending;

TEST_CASE("the last entry is kept with its output, its exception and its names") {
    repl::entry_record record;
    CHECK_FALSE(record.last().has_value());
    record.begin("x = 1 / 0\n\n", "<input>");
    record.add_output("begun\n");
    record.end({.ending = ending::raised, .exception = repl::ai::python::exception_info{"ZeroDivisionError", "division by zero", "..."}});
    const auto last = record.last();
    REQUIRE(last.has_value());
    CHECK(last->input == "x = 1 / 0");
    CHECK(last->output == "begun\n");
    CHECK_FALSE(last->truncated);
    CHECK(last->names == std::vector<std::string>{"x"});
    CHECK(last->exception.value().exc_type == "ZeroDivisionError");
    CHECK(record.entries() == std::vector<std::string>{"x = 1 / 0"});
}

TEST_CASE("code that did not run, and code of the program itself, are not entries") {
    repl::entry_record record;
    record.begin("def f():", "<input>");
    record.end({.ending = ending::incomplete});
    record.begin("x", "<input>");
    record.end({.ending = ending::busy});
    record.begin("import sys", "<start>");
    record.add_output("noise");
    record.end({});
    CHECK_FALSE(record.last().has_value());
    record.begin("y = 2", "<exec>");
    record.end({});
    CHECK(record.last()->input == "y = 2");
    CHECK(record.entries().empty());  // it was not typed
}

TEST_CASE("of a long output the begin and the end are kept, without cutting a character") {
    repl::bounded_output output(100);
    CHECK(output.text().empty());
    for (int i = 0; i < 200; ++i) {
        output.add("ä" + std::to_string(i) + " ");
    }
    const std::string text = output.text();
    CHECK(output.truncated());
    CHECK(text.size() < 160);
    CHECK(text.starts_with("ä0 ä1 "));
    CHECK(text.ends_with("ä199 "));
    CHECK(text.find("bytes left out") != std::string::npos);
    repl::bounded_output exact(8);
    exact.add("12345678");
    CHECK(exact.text() == "12345678");
    CHECK_FALSE(exact.truncated());
}
