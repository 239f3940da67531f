#include "assistant/dotenv.hpp"

#include "catch.hpp"

#include <string>

TEST_CASE("a .env file has names and values, with quotes, comments and export where people write them") {
    const auto seen = repl::parse_dotenv(
        "\xEF\xBB\xBF# a comment\n"
        "PLAIN=value\r\n"
        "export EXPORTED = spaced out  # why\n"
        "QUOTED=\"with # and spaces \"  # comment\n"
        "SINGLE='a=b'\n"
        "EMPTY=\n"
        "HASH=a#b\n"
        "OPEN=\"no end\n"
        "PLAIN=later\n"
        "1BAD=no\n"
        "no equals sign\n"
        "LAST=unended");
    CHECK(seen == repl::variables{{"PLAIN", "later"},
                                  {"EXPORTED", "spaced out"},
                                  {"QUOTED", "with # and spaces "},
                                  {"SINGLE", "a=b"},
                                  {"EMPTY", ""},
                                  {"HASH", "a#b"},
                                  {"OPEN", "\"no end"},
                                  {"LAST", "unended"}});
}

TEST_CASE("what is no .env file has no variables") {
    CHECK(repl::parse_dotenv("").empty());
    CHECK(repl::read_dotenv("/dev/null/.env").values.empty());
    CHECK(repl::read_dotenv("/").values.empty());
    CHECK(repl::read_dotenv("/dev/zero").values.empty());
}

TEST_CASE("a .env file that is there and cannot be used is a problem with its path and the reason") {
    CHECK(repl::read_dotenv("/no/such/folder/.env").problem.empty());
    CHECK(repl::read_dotenv("/").problem == "/ is not used: it is not a file");
    CHECK(repl::read_dotenv("/proc/self/mem/.env").problem.empty());
    const std::string long_name(300, 'x');
    CHECK(repl::read_dotenv(long_name.c_str()).problem.starts_with(long_name + " is not used: "));
}
