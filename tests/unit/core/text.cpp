#include <pyaichat/core/text.hpp>

#include "catch.hpp"

#include <vector>

namespace ai = pyaichat;

TEST_CASE("only UTF-8 as Unicode defines it is UTF-8") {
    CHECK(ai::detail::is_utf8("plain, \xC3\xA4, \xE2\x82\xAC, \xF0\x9F\x98\x80"));
    for (const char* bad : {"\x80", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x80\x80\x80"}) {
        CHECK_FALSE(ai::detail::is_utf8(bad));
        CHECK(ai::detail::is_utf8(ai::detail::repair_utf8(bad)));
    }
    CHECK(ai::detail::repair_utf8("a\x80z") == "a\xEF\xBF\xBDz");
}

TEST_CASE("a broken byte is found wherever it stands in a long text") {
    const std::string plain = "twenty-four plain bytes.";
    CHECK(ai::detail::is_utf8(plain));
    CHECK(ai::detail::repair_utf8(plain) == plain);
    for (std::size_t at = 0; at <= plain.size(); ++at) {
        CAPTURE(at);
        std::string broken = plain;
        broken.insert(at, "\xff");
        CHECK_FALSE(ai::detail::is_utf8(broken));
        CHECK(ai::detail::repair_utf8(broken) == std::string(plain).insert(at, "\xEF\xBF\xBD"));
        CHECK(ai::detail::is_utf8(std::string(plain).insert(at, "\xC3\xA9")));
    }
}

TEST_CASE("cutting keeps sequences whole") {
    CHECK(ai::detail::utf8_prefix("a\xC3\xA4z", 2) == "a");
    CHECK(ai::detail::utf8_prefix("a\xC3\xA4z", 3) == "a\xC3\xA4");
    CHECK(ai::detail::utf8_suffix("a\xC3\xA4z", 2) == "z");
    CHECK(ai::detail::utf8_suffix("a\xC3\xA4z", 3) == "\xC3\xA4z");
    CHECK(ai::detail::utf8_prefix("abc", 9) == "abc");
}

TEST_CASE("one line folds white space, drops controls and marks a cut") {
    CHECK(ai::detail::one_line("  a\n\t b \x1B[31m c ", 40) == "a b [31m c");
    CHECK(ai::detail::one_line("abcdefghij", 8) == "abcde...");
    CHECK(ai::detail::one_line("abcdefgh", 8) == "abcdefgh");
    CHECK(ai::detail::is_utf8(ai::detail::one_line("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8)));
    CHECK(ai::detail::one_line("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8).size() <= 8);
}

TEST_CASE("one row keeps blanks, and makes controls harmless") {
    CHECK(ai::detail::one_row("a   b\tc\nd", 40) == "a   b c d");
    CHECK(ai::detail::one_row("abcdefghij", 8) == "abcde...");
    CHECK(ai::detail::one_row("abcdefgh", 8) == "abcdefgh");
    CHECK(ai::detail::one_row("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8) == "\xC3\xA4\xC3\xA4...");
    CHECK(ai::detail::one_row("\xFF", 8) == "\xEF\xBF\xBD");
}

TEST_CASE("a count has its noun in the right number") {
    CHECK(ai::detail::counted(1, "step") == "1 step");
    CHECK(ai::detail::counted(0, "step") == "0 steps");
}

TEST_CASE("blank is nothing to read") {
    CHECK(ai::detail::is_blank(" \t\r\n"));
    CHECK(ai::detail::is_blank(""));
    CHECK_FALSE(ai::detail::is_blank(" x"));
}

TEST_CASE("white space at both ends is taken off") {
    CHECK(ai::detail::trimmed(" \t\r\n a b\v\f ") == "a b");
    CHECK(ai::detail::trimmed(" \n").empty());
    CHECK(ai::detail::trimmed("a") == "a");
}

TEST_CASE("case is that of ASCII alone") {
    CHECK(ai::detail::ascii_lower("Content-LENGTH \xC3\x84@[") == "content-length \xC3\x84@[");
    CHECK(ai::detail::equals_ignoring_case("Content-Length", "content-lENGTH"));
    CHECK_FALSE(ai::detail::equals_ignoring_case("Content-Length", "Content-Lengt"));
    CHECK_FALSE(ai::detail::equals_ignoring_case("\xC3\x84", "\xC3\xA4"));
    CHECK_FALSE(ai::detail::equals_ignoring_case("@", "`"));
    CHECK(ai::detail::percent_decoded("a%2Fb%2f%zz%4") == "a/b/%zz%4");
}

TEST_CASE("the nearest name is a likely slip or nothing") {
    const std::vector<std::string> names{"get_repr", "get_type", "list_globals", "eval_expr"};
    CHECK(ai::detail::nearest_name("get_rep", names) == "get_repr");
    CHECK(ai::detail::nearest_name("Get_Type", names) == "get_type");
    CHECK(ai::detail::nearest_name("default_api.eval_expr", names) == "eval_expr");
    CHECK(ai::detail::nearest_name("teleport", names).empty());
    CHECK(ai::detail::nearest_name("", names).empty());
    CHECK(ai::detail::nearest_name(std::string(100'000, 'x'), names).empty());
}
