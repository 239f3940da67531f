#include "python/python_highlight.hpp"

#include "catch.hpp"

#include <string>
#include <string_view>

namespace {

/// Each styled piece with a letter for its style: `k:def d:f`.
std::string styled(std::string_view text) {
    std::string out;
    for (const repl::styled_span& each : repl::highlight_python(text)) {
        static constexpr std::string_view letters = ".kbd@s0#!";
        out += out.empty() ? "" : " ";
        out += letters[static_cast<std::size_t>(each.style)];
        out += ":" + std::string(text.substr(each.begin, each.end - each.begin));
    }
    return out;
}

}  // namespace

TEST_CASE("keywords, definitions, built-in names and literals have styles") {
    CHECK(styled("def f(x=1): return len('a') # c") == "k:def d:f 0:1 k:return b:len s:'a' #:# c");
    CHECK(styled("class A(Exception): pass") == "k:class d:A b:Exception k:pass");
    CHECK(styled("async def g(): await x") == "k:async k:def d:g k:await");
    CHECK(styled("x = None") == "k:None");
}

TEST_CASE("a built-in name is plain as an attribute and as a keyword argument") {
    CHECK(styled("x.len") == "");
    CHECK(styled("f(id=3)") == "0:3");
    CHECK(styled("id = 3") == "b:id 0:3");
}

TEST_CASE("soft keywords are keywords only where Python takes them as such") {
    CHECK(styled("match x:\n  case [1]:\n    pass") == "k:match k:case 0:1 k:pass");
    CHECK(styled("match (x), y:\n  case _: pass") == "k:match k:case k:pass");
    CHECK(styled("match = 1; case = 2") == "0:1 0:2");
    CHECK(styled("match.x[1:2]") == "0:1 0:2");
    CHECK(styled("type X = int") == "k:type b:int");
    CHECK(styled("type(x)") == "b:type");
}

TEST_CASE("a decorator is styled with its dotted name") {
    CHECK(styled("@a.b(1)\ndef f(): pass") == "@:@a.b 0:1 k:def d:f k:pass");
    CHECK(styled("a @ b") == "");
}

TEST_CASE("the fields of an f-string are styled as code") {
    CHECK(styled("f'a{len(x)!r:>3}b'") == "s:f'a b:len s:>3 s:b'");
}

TEST_CASE("an unclosed string on one line is an error, one in three quotes is a string") {
    CHECK(styled("x = 'abc\nif") == "!:'abc k:if");
    CHECK(styled("'''abc\nif") == "s:'''abc\nif");
}

TEST_CASE("the styles of any bytes are in order and inside of the text") {
    for (const std::string_view text : {"f'{{{", "@@", "\xFF\xFE(", ")]}'\"", "f\"{x:{y\n", "match\\", "\\", "class def", "0x_z'\\\n"}) {
        std::size_t end = 0;
        for (const repl::styled_span& each : repl::highlight_python(text)) {
            CHECK(each.begin >= end);
            CHECK(each.end > each.begin);
            end = each.end;
        }
        CHECK(end <= text.size());
    }
}
