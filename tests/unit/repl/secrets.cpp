#include "assistant/secrets.hpp"

#include "catch.hpp"

TEST_CASE("a secret is put out of sight wherever it stands, and an empty one nowhere") {
    std::string text = "key key1 and key";
    repl::redact(text, "key");
    CHECK(text == "*** ***1 and ***");
    repl::redact(text, "");
    CHECK(text == "*** ***1 and ***");
    std::string stars = "aaa";
    repl::redact(stars, "a");
    CHECK(stars == "*********");
    std::string of_stars = "****";
    repl::redact(of_stars, "*");
    CHECK(of_stars == "************");
}
