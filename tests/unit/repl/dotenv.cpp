#include "assistant/dotenv.hpp"

#include "catch.hpp"

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
    CHECK(repl::read_dotenv("/dev/null/.env").empty());
    CHECK(repl::read_dotenv("/").empty());
    CHECK(repl::read_dotenv("/dev/zero").empty());
}
