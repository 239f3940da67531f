#include "python/python_lexer.hpp"

#include "catch.hpp"

#include <string>
#include <string_view>

namespace {

/// The tokens, each with a letter for its kind: `n:x o:= d:1`.
std::string lexed(std::string_view text) {
    std::string out;
    for (const repl::python_token& each : repl::lex_python(text).tokens) {
        static constexpr std::string_view letters = "ndsoc;!";
        out += out.empty() ? "" : " ";
        out += letters[static_cast<std::size_t>(each.kind)];
        if (each.kind != repl::token_kind::newline) {
            out += ":" + std::string(text.substr(each.begin, each.end - each.begin));
        }
    }
    return out;
}

}  // namespace

TEST_CASE("names, numbers, operators and comments are tokens") {
    CHECK(lexed("x += 1.5e-3 # c\ny") == "n:x o:+= d:1.5e-3 c:# c ; n:y");
    CHECK(lexed("0xfe+0b1**2//3") == "d:0xfe o:+ d:0b1 o:** d:2 o:// d:3");
    CHECK(lexed("a->b...:=!=@=") == "n:a o:-> n:b o:... o::= o:!= o:@=");
    CHECK(lexed("gr\xC3\xB6\xC3\x9F.x1") == "n:gr\xC3\xB6\xC3\x9F o:. n:x1");
    CHECK(lexed("1j.real 1..real") == "d:1j o:. n:real d:1. o:. n:real");
}

TEST_CASE("a string has its prefix") {
    CHECK(lexed("rb'a' Rb\"b\" u'c' br''") == "s:rb'a' s:Rb\"b\" s:u'c' s:br''");
    CHECK(lexed("ub'a'") == "n:ub s:'a'");
    CHECK(lexed("'a\\'b' r'\\'") == "s:'a\\'b' !:r'\\'");
    CHECK(lexed("'''a\n'b''' \"\"\"\"\"\"") == "s:'''a\n'b''' s:\"\"\"\"\"\"");
}

TEST_CASE("an f-string is split at its fields, which nest") {
    CHECK(lexed("f'a{x!r:>{w}}b'") == "s:f' s:a o:{ n:x o:! n:r o:: s:> o:{ n:w o:} o:} s:b'");
    CHECK(lexed("f'{{x}}\\N{DASH}'") == "s:f' s:{{x}}\\N{DASH}'");
    CHECK(lexed("f'{x['a']}'") == "s:f' o:{ n:x o:[ s:'a' o:] o:} s:'");
    CHECK(lexed("rf'''{f\"{y}\"}\n'''") == "s:rf''' o:{ s:f\" o:{ n:y o:} s:\" o:} s:\n'''");
    CHECK(lexed("f'{x' + 1") == "s:f' o:{ n:x !:' o:+ d:1");
}

TEST_CASE("line ends inside of brackets are no tokens") {
    CHECK(lexed("f(\n1,\n)\n") == "n:f o:( d:1 o:, o:) ;");
    CHECK(lexed("a \\\n + b\r\nc") == "n:a o:+ n:b ; n:c");
}

TEST_CASE("what cannot be Python is an error") {
    CHECK(lexed("x = 'a\ny") == "n:x o:= !:'a ; n:y");
    CHECK(lexed("f'\nx") == "s:f' ; n:x");
    CHECK(repl::lex_python("f'\nx").hopeless);
    CHECK(repl::lex_python("f'").hopeless);
    CHECK(lexed("a)") == "n:a !:)");
    CHECK(lexed("(]") == "o:( !:]");
    CHECK(lexed("x?") == "n:x !:?");
    CHECK(lexed("a \\ b") == "n:a !:\\ n:b");
    CHECK(lexed(std::string_view("\0", 1)) == "!:" + std::string(1, '\0'));
}

TEST_CASE("the end of the text tells what is open") {
    CHECK(repl::lex_python("f(a[").open.size() == 2);
    CHECK(repl::lex_python("'''a").in_string);
    CHECK(repl::lex_python("'a\\").in_string);
    CHECK_FALSE(repl::lex_python("'a\\\\").in_string);
    CHECK(repl::lex_python("a \\").ends_with_backslash);
    CHECK(repl::lex_python("a \\\n").ends_with_backslash);
    CHECK_FALSE(repl::lex_python("a \\\nb").ends_with_backslash);
    CHECK(repl::lex_python("f'{x:{").open.size() == 4);
}

TEST_CASE("deeply nested f-strings end") {
    std::string text;
    for (int i = 0; i < 2000; ++i) {
        text += "f'{";
    }
    CHECK_FALSE(repl::lex_python(text).tokens.empty());
}
