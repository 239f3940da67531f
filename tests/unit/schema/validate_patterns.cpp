#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;

namespace {

/// Whether the pattern is found in the text; a pattern that is refused is a failed test.
bool found(const std::string& pattern, const std::string& text) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema({{"pattern", pattern}});
    INFO(pattern);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return ai::validate(*made, text).empty();
}

bool refused(const std::string& pattern) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema({{"properties", {{"a", {{"pattern", pattern}}}}}});
    return !made && made.error().code == ai::errc::invalid_argument &&
           made.error().message.find("#/properties/a/pattern: the pattern \"") != std::string::npos;
}

}  // namespace

TEST_CASE("patterns are searched for, not anchored") {
    CHECK(found("b", "abc"));
    CHECK_FALSE(found("^b", "abc"));
    CHECK(found("", ""));
    CHECK(found(".*c", "abc"));
    CHECK(found(".*?.*c", "abc"));
    CHECK_FALSE(found(".*d", "abc"));
    CHECK(found("(a|b)+c", "xababc"));
    CHECK(found("^(?:ab){2}$", "abab"));
}

TEST_CASE("patterns mean what they mean in ECMA-262") {
    CHECK_FALSE(found("^a$", "a\n"));
    CHECK_FALSE(found("^a$", "b\na"));
    CHECK_FALSE(found("a.b", "a\rb"));
    CHECK_FALSE(found("a.b", "a\u2028b"));
    CHECK(found("a.b", "a\u0085b"));
    CHECK(found("^.$", "\U0001F600"));
    CHECK_FALSE(found("^\\d$", "\u0967"));
    CHECK_FALSE(found("^\\w$", "\u00e9"));
    CHECK(found("^\\W$", "\u00e9"));
    CHECK(found("^\\s$", "\u00a0"));
    CHECK(found("^\\s$", "\ufeff"));
    CHECK_FALSE(found("^\\S$", "\u3000"));
    CHECK(found("^[\\S ]+$", "a b"));
    CHECK_FALSE(found("^[\\S]$", "\u2003"));
    CHECK_FALSE(found("^[^\\s]$", "\v"));
    CHECK(found("^\\p{Letter}+$", "\u00fcb\u0436"));
    CHECK(found("^\\p{L}\\p{Lu}\\P{Lu}$", "aBc"));
    CHECK(found("^\\p{General_Category=Decimal_Number}$", "\u0967"));
    CHECK(found("^[\\p{Script=Greek}-]+$", "\u03b1-\u03b2"));
    CHECK_FALSE(found("^\\p{sc=Greek}$", "a"));
    CHECK(found("^\\cJ\\x41\\u0042\\u{1F600}\\uD83D\\uDE00\\0$", std::string("\nAB\U0001F600\U0001F600\0", 12)));
    CHECK(found("^[\\b\\v]+$", "\b\v"));
    CHECK(found("[]a]|x", "x"));
    CHECK(found("^[^]$", "\n"));
    CHECK(found("^[a[:]$", ":"));
    CHECK(found("^(a)?\\1b$", "b"));
    CHECK(found("^(?<x>a)\\k<x>$", "aa"));
    CHECK(found("(?<!a)b(?!c)", "bb"));
    CHECK_FALSE(found("(?<=a)b(?=c)", "bc"));
    CHECK(found("^a{2,3}?$", "aaa"));
    CHECK(found("^\\u00e9$", "\u00e9"));
}

TEST_CASE("what the web writes although the letter forbids it is understood") {
    CHECK(found("^[\\w\\-\\.]+\\@[\\w-]+\\.\\_$", "a-b@c-d._"));
    CHECK(found("^{x}$", "{x}"));
    CHECK(found("^a{,3}$", "a{,3}"));
    CHECK(found("^a]$", "a]"));
    CHECK(found("^[\\d-x]+$", "1-x"));
    CHECK(found("^\\/\\ \\#$", "/ #"));
}

TEST_CASE("a pattern that the engine cannot take is refused when the schema is compiled") {
    for (const char* pattern : {"(",
                                ")",
                                "[a",
                                "a**",
                                "*a",
                                "+",
                                "a++",
                                "a{2}+",
                                "\\",
                                "[b-a]",
                                "a{3,2}",
                                "(?i)a",
                                "(?R)",
                                "(?>a)",
                                "(?#a)",
                                "(*UTF)a",
                                "\\A",
                                "\\Z",
                                "\\Qa\\E",
                                "\\K",
                                "\\X",
                                "\\R",
                                "\\h",
                                "\\07",
                                "[\\1]",
                                "\\1",
                                "\\k<x>",
                                "(?<>a)",
                                "(?<1>a)",
                                "(?P<x>a)",
                                "\\xg0",
                                "\\u12",
                                "\\u{110000}",
                                "\\uD800",
                                "\\c1",
                                "\\p{Nonsense}",
                                "\\p",
                                "\\p{L",
                                "\\p{^L}",
                                "(?<=a*)b",
                                "((a{1000}){1000}){1000}"}) {
        INFO(pattern);
        CHECK(refused(pattern));
    }
    CHECK(refused(std::string(1000, '(') + std::string(1000, ')')));
    CHECK(refused(std::string(1'000'000, 'a')));
    CHECK(refused("a\xff"));
    CHECK_FALSE(ai::compile_schema({{"patternProperties", {{"(", true}}}}));
}

TEST_CASE("the reason why a pattern is refused quotes whole characters") {
    const auto compiled = ai::compile_schema({{"pattern", "(?\u00e9)"}});
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().message.find("\"(?\u00e9\" is not a group") != std::string::npos);
}

TEST_CASE("a text that is not UTF-8 is no error of the engine") {
    CHECK_FALSE(found("^.$", "\xff"));
    CHECK(found("b$", "\xff\xfe b"));
}

TEST_CASE("a search that explodes ends in an error") {
    const std::string text(5000, 'a');
    for (const char* pattern : {"^(a+)+$", "^(a|a)*$", "^(?:a*)*$", "^(.*)(.*)(.*)(.*)(.*)(.*)$", "(a*)*b"}) {
        const ai::result<ai::compiled_schema> made = ai::compile_schema({{"pattern", pattern}});
        REQUIRE(made);
        const std::vector<ai::schema_error> errors = ai::validate(*made, text + "\n!");
        REQUIRE(errors.size() == 1);
        CHECK((errors[0].keyword == "limit" || errors[0].keyword == "pattern"));
    }
    const ai::result<ai::compiled_schema> evil = ai::compile_schema({{"items", {{"pattern", "^(a+)+$"}}}});
    const ai::json value(std::vector<std::string>(10'000, std::string(20, 'a') + '!'));
    REQUIRE(ai::validate(*evil, value).size() <= ai::max_schema_errors);
    CHECK_FALSE(ai::validate(*evil, value).empty());
}
