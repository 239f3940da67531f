#include "python/look/expression.hpp"

#include "catch.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

using namespace pyaichat::python::detail;

namespace expression_tests {

namespace {

/// The tree as text: `(kind text child...)`; `_` stands for an omitted part.
std::string shown(const expression& tree, node_id id) {
    static const std::array<const char*, 31> kinds = {
        "none", "false", "true", "ellipsis",  "int",      "float",   "imaginary", "text", "bytes",    "name", ".",
        "[]",   "slice", "call", "keyword",   "unary",    "binary",  "compare",   "and",  "or",       "if",   "tuple",
        "list", "set",   "dict", "generator", "listcomp", "setcomp", "dictcomp",  "for",  "formatted"};
    if (id == no_node) {
        return "_";
    }
    const node& node = tree[id];
    const auto kind = static_cast<std::size_t>(node.kind);
    std::string text = std::string("(") + (kind < kinds.size() ? kinds[kind] : "field");
    text += node.text.empty() ? "" : " " + node.text;
    for (const operation each : node.operations) {
        text += " #" + std::to_string(static_cast<int>(each));
    }
    for (const node_id each : node.children) {
        text += " " + shown(tree, each);
    }
    return text + ")";
}

std::string shown(std::string_view text) {
    const pyaichat::result<expression> parsed = parse_expression(text);
    INFO(text);
    INFO((parsed ? "" : parsed.error().message));
    REQUIRE(parsed);
    return shown(*parsed, parsed->root);
}

/// The value of a string literal.
std::string text_of(std::string_view literal) {
    const pyaichat::result<expression> parsed = parse_expression(literal);
    INFO(literal);
    REQUIRE(parsed);
    const node& root = (*parsed)[parsed->root];
    REQUIRE((root.kind == node_kind::text || root.kind == node_kind::bytes));
    return root.text;
}

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

void check_refused(const std::string& text) {
    INFO(text.substr(0, 80));
    const pyaichat::result<expression> parsed = parse_expression(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == pyaichat::errc::not_allowed);
    CHECK(!parsed.error().message.empty());
}

}  // namespace

TEST_CASE("names, attributes, items and calls follow each other") {
    CHECK(shown(" game . player.items [ 'key' ] [-1] ") == "([] ([] (. items (. player (name game))) (text key)) (unary #13 (int 1)))");
    CHECK(shown("f(a, b=1)(c).d[0]") == "([] (. d (call (call (name f) (name a) (keyword b (int 1))) (name c))) (int 0))");
    CHECK(shown("f()") == "(call (name f))");
    CHECK(shown("f(a,)") == "(call (name f) (name a))");
    CHECK(shown("a[1:2, ::3, b]") == "([] (name a) (tuple (slice (int 1) (int 2) _) (slice _ _ (int 3)) (name b)))");
    CHECK(shown("a[:]") == "([] (name a) (slice _ _ _))");
    CHECK(shown("a[1,]") == "([] (name a) (tuple (int 1)))");
    CHECK(shown("na\xC3\xAFve_1") == "(name na\xC3\xAFve_1)");
    CHECK(shown("nothing or iffy") == "(or (name nothing) (name iffy))");
    CHECK(shown("f(x for x in y)") == "(call (name f) (generator (name x) (for (name x) (name y))))");
}

TEST_CASE("operators bind as in Python") {
    CHECK(shown("a + b * c") == "(binary #0 (name a) (binary #2 (name b) (name c)))");
    CHECK(shown("a - b - c") == "(binary #1 (binary #1 (name a) (name b)) (name c))");
    CHECK(shown("a ** b ** c") == "(binary #6 (name a) (binary #6 (name b) (name c)))");
    CHECK(shown("-a ** -b") == "(unary #13 (binary #6 (name a) (unary #13 (name b))))");
    CHECK(shown("a | b ^ c & d << e") == "(binary #11 (name a) (binary #12 (name b) (binary #10 (name c) (binary #8 (name d) (name e)))))");
    CHECK(shown("not a == b") == "(unary #16 (compare #19 (name a) (name b)))");
    CHECK(shown("a < b <= c is not d not in e") == "(compare #17 #18 #26 #24 (name a) (name b) (name c) (name d) (name e))");
    CHECK(shown("a or b and not c") == "(or (name a) (and (name b) (unary #16 (name c))))");
    CHECK(shown("a if b else c if d else e") == "(if (name b) (name a) (if (name d) (name c) (name e)))");
    CHECK(shown("a//b%c") == "(binary #5 (binary #4 (name a) (name b)) (name c))");
    CHECK(shown("(a\n+ b)") == "(binary #0 (name a) (name b))");
}

TEST_CASE("displays and comprehensions are told apart") {
    CHECK(shown("()") == "(tuple)");
    CHECK(shown("(a)") == "(name a)");
    CHECK(shown("(a,)") == "(tuple (name a))");
    CHECK(shown("a, b") == "(tuple (name a) (name b))");
    CHECK(shown("[a, [b],]") == "(list (name a) (list (name b)))");
    CHECK(shown("{}") == "(dict)");
    CHECK(shown("{a}") == "(set (name a))");
    CHECK(shown("{a: b, c: d}") == "(dict (name a) (name b) (name c) (name d))");
    CHECK(shown("[x for x in a if b if c for y, (z, w) in d]") ==
          "(listcomp (name x) (for (name x) (name a) (name b) (name c)) (for (tuple (name y) (tuple (name z) (name w))) (name d)))");
    CHECK(shown("{k: v for k, v in d}") == "(dictcomp (name k) (name v) (for (tuple (name k) (name v)) (name d)))");
    CHECK(shown("{x for x in a}") == "(setcomp (name x) (for (name x) (name a)))");
    CHECK(shown("(x for x, in a)") == "(generator (name x) (for (tuple (name x)) (name a)))");
    CHECK(shown("...") == "(ellipsis)");
}

TEST_CASE("numbers are kept as they are written, without underscores") {
    CHECK(shown("0x1_F") == "(int 0x1F)");
    CHECK(shown("0B_1") == "(int 0b1)");
    CHECK(shown("1_000") == "(int 1000)");
    CHECK(shown("00") == "(int 00)");
    CHECK(shown("1_0.5_0e-1_0") == "(float 10.50e-10)");
    CHECK(shown("1.") == "(float 1.)");
    CHECK(shown(".5J") == "(imaginary .5)");
    CHECK(shown("1..real") == "(. real (float 1.))");
    for (const char* text : {"01", "1__0", "1_", "0x", "0b2", "1e", "1.5x", "1if a else b", "0_x1", "1.e+", "0xg", "1.real"}) {
        check_refused(text);
    }
    check_refused(std::string(max_integer_digits + 1, '9'));
}

TEST_CASE("strings are read as Python reads them") {
    CHECK(text_of(R"("a\n\x41\u00e9\101\'")") ==
          "a\nA\xC3\xA9"
          "A'");
    CHECK(text_of(R"(r'\n\'')") == R"(\n\')");
    CHECK(text_of(R"('\d')") == R"(\d)");
    CHECK(text_of("''").empty());
    CHECK(text_of("'a' \"b\" r'c'") == "abc");
    CHECK(text_of("'''a\r\n'b''c'''") == "a\n'b''c");
    CHECK(text_of("'a\\\nb'") == "ab");
    CHECK(text_of(R"(b'\xff\0a')") == std::string("\xff\0a", 3));
    CHECK(text_of(R"(Rb'\x')") == "\\x");
    CHECK(text_of("f'{{}}'") == "{}");
    for (const char* text : {"'a", "'''a''", "'\n'", "'\\N{DASH}'", "'\\ud800'", "'\\U00110000'", "b'\\u0041x' 'a'", "b'\xC3\xA9'",
                             "'\\x4'", "ub'a'", "'a' b'b'", "bf'a'"}) {
        check_refused(text);
    }
}

TEST_CASE("f-strings are texts and fields") {
    CHECK(shown("f'a{b}c'") == "(formatted (text a) (field (name b) _) (text c))");
    CHECK(shown("f'{a!r:>{w}.2}'") == "(formatted (field r (name a) (formatted (text >) (field (name w) _) (text .2))))");
    CHECK(shown("f'{a = }'") == "(formatted (text a = ) (field r (name a) _))");
    CHECK(shown("f'{a=:x}'") == "(formatted (text a=) (field (name a) (formatted (text x))))");
    CHECK(shown("f'{a!=b}'") == "(formatted (field (compare #20 (name a) (name b)) _))");
    CHECK(shown("f'{d[\"k\"]:}'") == "(formatted (field ([] (name d) (text k)) (formatted)))");
    CHECK(shown("f'{x:=5}'") == "(formatted (field (name x) (formatted (text =5))))");
    CHECK(shown("'a' f'{b}' 'c'") == "(formatted (text a) (field (name b) _) (text c))");
    CHECK(shown("f'{f\"{a}\"}'") == "(formatted (field (formatted (field (name a) _)) _))");
    for (const char* text :
         {"f'{'", "f'}'", "f'{}'", "f'{a'", "f'{a!x}'", "f'{a!}'", "f'{lambda x: 1}'", "f'{a:{b}'", "f'{*a}'", "f'{a b}'"}) {
        check_refused(text);
    }
}

TEST_CASE("what the evaluator never supports is refused with the place") {
    for (const char* text : {"",
                             " ",
                             "lambda: 0",
                             "(a := 1)",
                             "f(a := 1)",
                             "[a := 1]",
                             "*a",
                             "f(*a)",
                             "f(**a)",
                             "[*a]",
                             "{**a}",
                             "await a",
                             "(yield)",
                             "yield a",
                             "a = 1",
                             "a; b",
                             "a b",
                             "class",
                             "a.if",
                             "a.",
                             "a..b",
                             ".a",
                             "a[",
                             "a[]",
                             "a[1",
                             "a[,]",
                             "(a",
                             "a)",
                             "[a",
                             "{a: }",
                             "{a, b: c}",
                             "{a: b, c}",
                             "a +",
                             "a not b",
                             "not",
                             "a if b",
                             "a if b else",
                             "[x for]",
                             "[x for x]",
                             "[x for 1 in a]",
                             "[x for x.y in a]",
                             "[x async for x in a]",
                             "f(a for a in b, c)",
                             "f(a=1, b)",
                             "f(,)",
                             "a\nb",
                             "# a",
                             "a # b",
                             "a ? b",
                             "a!",
                             "$",
                             "a <> b",
                             "a === b",
                             "a->b",
                             "print a",
                             "{**a: 1}",
                             "`a`",
                             "a\\\n+b",
                             "None.5",
                             "import os",
                             "x\xE2\x80\xAE",
                             "\xEF\xBB\xBF"
                             "x",
                             "x\xC2\xA0",
                             "\xED\xA0\x80",
                             "\xFF",
                             "[x for (x, y in a]",
                             "(x for x in a, b)",
                             "a[x for x in y]"}) {
        check_refused(text);
    }
    check_refused(std::string("a\0b", 3));
    CHECK(parse_expression("1 + lambda: 2").error().message == "`lambda` is not supported here, from here on: lambda: 2");
    CHECK(parse_expression("a +").error().message == "the expression ends too early at the end");
}

TEST_CASE("depth and length are bounded") {
    check_refused(std::string(max_expression_bytes + 1, 'a'));
    for (const char* open :
         {"(", "[", "{", "-", "not ", "~", "f(", "a[", "1 if ", "f'{", "2**", "[x for x in ", "{1:", "f'{a:{", "[x for (", "a+(", "+"}) {
        check_refused(repeated(open, 100'000));
        check_refused(repeated(open, 3000) + "1");
        check_refused(repeated(open, max_expression_depth + 1) + "1");
    }
    check_refused("a" + repeated(".a", max_expression_depth));
    check_refused("a" + repeated("()", max_expression_depth));
    check_refused("1" + repeated("+1", max_expression_depth));
    check_refused(repeated("(", 65) + "1" + repeated(")", 65));
    CHECK(parse_expression("a" + repeated(".a", max_expression_depth - 1)));
    CHECK(parse_expression(repeated("(", 30) + "1" + repeated(")", 30)));
    CHECK(parse_expression("[" + repeated("1, ", 3000) + "]"));
}

TEST_CASE("any bytes are parsed to an end") {
    std::mt19937 random(7);
    const std::vector<std::string> pieces = {
        "a",      "b",     ".",     "[",  "]",    "(",    ")",    "{",  "}",      "'",   "\"", "\\", "x", "0",     "1",    "-",
        "+",      "*",     "e",     ",",  "_",    " ",    "b'",   "f'", "!r",     ":",   "=",  "!",  "<", " for ", " in ", " if ",
        " else ", " not ", " and ", "is", "True", "\xC3", "\xFF", "\n", "lambda", "'''", "{{", "1.", "j", "%"};
    std::size_t parsed = 0;
    for (int round = 0; round < 50'000; ++round) {
        std::string text = "a";
        for (std::size_t size = random() % 12; size > 0; --size) {
            text += pieces[random() % pieces.size()];
        }
        const pyaichat::result<expression> read = parse_expression(text);
        parsed += read ? 1 : 0;
        if (read) {
            for (const node& each : read->nodes) {
                REQUIRE((each.begin <= each.end && each.end <= text.size() && each.depth <= max_expression_depth));
            }
        }
    }
    CHECK(parsed > 3000);
    CHECK(parsed < 49'000);
}

}  // namespace expression_tests
