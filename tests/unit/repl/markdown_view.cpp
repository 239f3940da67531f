#include "assistant/markdown_view.hpp"

#include "catch.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace markdown_view_tests {

namespace {

std::string render(std::string_view text, std::size_t columns = 0) {
    repl::markdown_view view({.styled = true, .columns = columns});
    std::string out = view.feed(text);
    return out + view.finish();
}

/// The output with `<codes>` for each escape sequence, `</>` for the one that ends a style.
std::string marked(std::string_view text, std::size_t columns = 0) {
    std::string out = render(text, columns);
    for (std::size_t at = out.find("\033["); at != std::string::npos; at = out.find("\033[")) {
        const std::size_t end = out.find('m', at);
        const std::string codes = out.substr(at + 2, end - at - 2);
        out.replace(at, end + 1 - at, codes == "0" ? "</>" : "<" + codes + ">");
    }
    return out;
}

constexpr const char* everything = R"(# A *big* heading

Some **bold with `code` in it**, *emphasis*, _more_, and `x * y`; 2*3*4 and get_repr stay. A [link](https://example.org) and \*stars\*.

- one
  - **two**
    1. three
* four
10. ten

> quoted *text*
> > deeper

```python
def f(x):

    return """a
b""" + x
```

| name | größe | 数 |
|:-----|------:|:--:|
| `a`  | 1     | 漢字 |
| b    | 22    | 👍 |

---
unclosed **bold and `code
last [line](
)";

}  // namespace

TEST_CASE("inline marks become styles") {
    CHECK(marked("a **b** c") == "a <1>b</> c");
    CHECK(marked("*a* _b_ `c`") == "<3>a</> <3>b</> <36>c</>");
    CHECK(marked("**a `b` c**") == "<1>a </><1;36>b</><1> c</>");
    CHECK(marked("***a***") == "<1;3>a</>");
    CHECK(marked("``a ` b``") == "<36>a ` b</>");
    CHECK(marked("see [the docs](https://e.org/a)") == "see the docs<2> (https://e.org/a)</>");
    CHECK(marked("[https://e.org](https://e.org)") == "https://e.org");
    CHECK(marked("\\*a\\*") == "*a*");
}

TEST_CASE("what only looks like a mark stays as it is") {
    for (const char* text : {"2*3*4", "a_b_c", "a * b * c", "f(*args, **kwargs)", "x[0] and y[1](2", "a `b", "**a", "5 ** 2 ** 3", "#hash",
                             "1.5 is a number", "-1", "--flag", "C:\\dir", "`", "a | b"}) {
        CHECK(render(text) == text);
    }
}

TEST_CASE("blocks: headings, lists, quotes, rules") {
    CHECK(marked("## Title\ntext") == "<1;4>Title</>\ntext");
    CHECK(marked("- a\n  - b\n1. c\n") == "<2>• </>a\n<2>  ◦ </>b\n<2>1. </>c\n");
    CHECK(marked("> a\n> > b\n") == "<2>│ </>a\n<2>│ │ </>b\n");
    CHECK(marked("> - a") == "<2>│ • </>a");
    CHECK(render("a\n\n---\nb").find("────") != std::string::npos);
    CHECK(marked("**a** starts a line") == "<1>a</> starts a line");
}

TEST_CASE("fenced code is numbered, kept as it is and collected") {
    repl::markdown_view view({.styled = true});
    std::string out = view.feed("Try:\n```python\nx = **1\n\n  y\n```\nor\n~~~\n```\n~~~\n");
    out += view.finish();
    REQUIRE(view.code_blocks().size() == 2);
    CHECK(view.code_blocks()[0].language == "python");
    CHECK(view.code_blocks()[0].code == "x = **1\n\n  y");
    CHECK(view.code_blocks()[1].code == "```");
    CHECK(out.find("\033[2m[1] python\033[0m\n") != std::string::npos);
    CHECK(out.find("[2]") != std::string::npos);
    CHECK(out.find("~~~") == std::string::npos);
}

TEST_CASE("code is highlighted statement by statement, and a string over several lines stays a string") {
    repl::markdown_view view({.styled = true});
    const std::string out = view.feed("```python\nx = f(1,\n2)\ns = \"\"\"a\nif 3\n\"\"\"\ny = 4\n```\n") + view.finish();
    CHECK(out.find("\033[36m2\033[0m)") != std::string::npos);
    CHECK(out.find("\033[32mif 3") != std::string::npos);
    CHECK(out.find("y = \033[36m4") != std::string::npos);
    CHECK(view.code_blocks().at(0).code == "x = f(1,\n2)\ns = \"\"\"a\nif 3\n\"\"\"\ny = 4");
}

TEST_CASE("the code in a list loses the indent of its fence") {
    repl::markdown_view view({.styled = true});
    static_cast<void>(view.feed("- do\n  ```py\n  if x:\n      y\n  ```\n"));
    CHECK(view.code_blocks().at(0).code == "if x:\n    y");
}

TEST_CASE("a table is shown when it is complete, aligned by cells") {
    repl::markdown_view view({.styled = true});
    CHECK(view.feed("| a | n |\n|---|--:|\n| 漢字 | 1 |\n| b | 22 |\n").empty());
    CHECK_FALSE(view.feed("after").empty());
    CHECK(marked("| a | n |\n|---|--:|\n| 漢字 | 1 |\n| b | 22 |\n") ==
          "<1>a</>   <2> │ </> <1>n</>\n<2>─────┼───</>\n漢字<2> │ </> 1\nb   <2> │ </>22\n");
    CHECK(render("| not | a table\nx") == "| not | a table\nx");
}

TEST_CASE("a table that is wider than the terminal becomes a list of its cells") {
    CHECK(marked("| name | about |\n|---|---|\n| a | a long text |\n| b | c |\n", 12) ==
          "<1>name</>: a\n<1>about</>: a long text\n\n<1>name</>: b\n<1>about</>: c\n");
}

TEST_CASE("text appears before its paragraph ends") {
    repl::markdown_view view({.styled = true});
    CHECK(view.feed("The answer is ") == "The answer is ");
    CHECK(view.feed("**4") == "");
    CHECK(view.feed("2** and") == "\033[1m42\033[0m and");
}

TEST_CASE("a mark that is never closed does not hide more than a few lines of text") {
    repl::markdown_view view({.styled = true});
    CHECK(view.feed("a `" + std::string(1000, 'x')).size() > 1000);
}

TEST_CASE("without styles the text stays as it is, and its code is collected") {
    repl::markdown_view view({.styled = false});
    std::string out = view.feed(everything);
    out += view.finish();
    CHECK(out == everything);
    CHECK(view.code_blocks().size() == 1);
}

TEST_CASE("of text that is not Markdown only the fenced code is styled") {
    repl::markdown_view view({.styled = true, .only_code = true});
    std::string out = view.feed("`x` is '**a**'\n# no heading\n| a |\n|---|\n```\ny\n```\n");
    out += view.finish();
    CHECK(out == "`x` is '**a**'\n# no heading\n| a |\n|---|\n\033[2m[1]\033[0m\ny\n");
}

TEST_CASE("control characters never reach the terminal") {
    CHECK(render("a\033[31mb\r\xC2\x9B\x07") == "a[31mb");
    CHECK(render("`\033]0;t\007`") == "\033[36m]0;t\033[0m");
    CHECK(render("a\xFF"
                 "b\xE2\x82") ==
          "a\xEF\xBF\xBD"
          "b\xEF\xBF\xBD");
}

TEST_CASE("the output does not depend on how the text was cut") {
    const std::string text = everything;
    const std::string whole = render(text);
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        repl::markdown_view view({.styled = true});
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = 1 + random() % (round % 2 == 0 ? 3 : 60);
            out += view.feed(std::string_view(text).substr(at, length));
            at += length;
        }
        out += view.finish();
        REQUIRE(out == whole);
    }
}

TEST_CASE("any text passes: nothing is lost but marks and control characters") {
    std::mt19937 random(11);
    const std::string_view alphabet = "ab *_`~[]()|#->1.\\\n\n  :!";
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t i = 0; i < 60; ++i) {
            text += alphabet[random() % alphabet.size()];
        }
        repl::markdown_view view({.styled = true});
        std::string out = view.feed(text);
        out += view.finish();
        const auto letters = [](const std::string& of) { return std::count(of.begin(), of.end(), 'a'); };
        // The information behind a fence is not text.
        if (text.find("```") == std::string::npos && text.find("~~~") == std::string::npos) {
            REQUIRE(letters(out) == letters(text));
        }
    }
}

}  // namespace markdown_view_tests
